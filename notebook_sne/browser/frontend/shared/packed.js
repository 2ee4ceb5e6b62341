// What travels packed, as text in which nothing has to be escaped, and is unpacked by the browser itself.

/** @param {string} base64  of zlib's bytes @returns {Response} */
export function unpacked(base64) {
  if (!globalThis.DecompressionStream) throw new Error("it needs a browser of 2023 or later");
  const binary = atob(base64);
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) packed[i] = binary.charCodeAt(i);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")));
}
