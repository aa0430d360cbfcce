/** A fast, non-cryptographic digest, to compare texts without keeping them. */

/** 106 bits, as hexadecimal digits. */
export function digestOfText(text: string): string {
  return hash53(text, 0) + hash53(text, 0x9e3779b9);
}

/** The hash function cyrb53. */
function hash53(text: string, seed: number): string {
  let first = 0xdeadbeef ^ seed;
  let second = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 2_654_435_761);
    second = Math.imul(second ^ unit, 1_597_334_677);
  }
  first = mix(first, second);
  second = mix(second, first);
  return (4_294_967_296 * (2_097_151 & second) + (first >>> 0)).toString(16).padStart(14, '0');
}

function mix(one: number, other: number): number {
  return Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
}
