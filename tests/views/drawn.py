"""What tests of figures look at: a renderer of Bokeh's by its name, its data, and the elements of an SVG."""

from xml.etree import ElementTree


def renderer(figure, name):
    found = [one for one in figure.renderers if one.name == name]
    assert len(found) == 1, [one.name for one in figure.renderers]
    return found[0]


def data(figure, name):
    return renderer(figure, name).data_source.data


def parts(picture, name):
    return list(ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}" + name))
