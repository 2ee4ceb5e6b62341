// A canvas as a PNG that says where it comes from: a chunk of text after the first one [PNG, 11.3.4.5].

const HEAD = 33; // bytes: the signature, and the chunk IHDR

/** The CRC of bytes as PNG has it [PNG, annex D]. @param {Uint8Array} bytes */
function crcOf(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

/** A chunk that holds a text of any letters, as iTXt. @param {string} text */
export function textChunk(text) {
  const content = new TextEncoder().encode(`iTXtDescription\0\0\0\0\0${text}`);
  const chunk = new Uint8Array(content.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, content.length - 4); // the name of the chunk is not counted
  chunk.set(content, 4);
  view.setUint32(content.length + 4, crcOf(content));
  return chunk;
}

/** @param {HTMLCanvasElement} canvas @param {string} [text] @returns {Promise<Blob|null>} null where there is no room */
export async function pngOf(canvas, text = "") {
  /** @type {Blob|null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob || !text) return blob;
  return new Blob([blob.slice(0, HEAD), textChunk(text), blob.slice(HEAD)], { type: "image/png" });
}
