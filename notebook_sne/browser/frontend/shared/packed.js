// What travels packed, and is unpacked by the browser itself.

/** @param {ArrayBufferView} packed  by zlib @returns {Response} */
export function unpacked(packed) {
  if (!globalThis.DecompressionStream) throw new Error("it needs a browser of 2023 or later");
  return new Response(
    new Blob([/** @type {BlobPart} */ (packed)]).stream().pipeThrough(new DecompressionStream("deflate")),
  );
}
