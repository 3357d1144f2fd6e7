/** How eight bytes of memory are divided into locations. Bytes that one access covers belong together; `joins` has bit i if bytes i and i + 1 do. */

/** Per joins * 8 + byte: the bytes of its location, as a mask. */
const MASK = new Uint8Array(128 * 8)
for (let joins = 0; joins < 128; joins++) {
  for (let byte = 0; byte < 8; byte++) {
    let from = byte
    let to = byte
    while (from > 0 && (joins & (1 << (from - 1))) !== 0) from--
    while (to < 7 && (joins & (1 << to)) !== 0) to++
    MASK[joins * 8 + byte] = (2 << to) - (1 << from)
  }
}

const BITS = Uint8Array.from({ length: 256 }, (_, mask) => {
  let n = 0
  for (let m = mask; m > 0; m &= m - 1) n++
  return n
})

const LOWEST = Uint8Array.from({ length: 256 }, (_, mask) => (mask === 0 ? 8 : 31 - Math.clz32(mask & -mask)))

/** The bytes of the location that holds this byte. */
export const partOf = (joins: number, byte: number): number => MASK[joins * 8 + byte]!
export const bitsIn = (mask: number): number => BITS[mask]!
export const lowest = (mask: number): number => LOWEST[mask]!
export const joinsOf = (mask: number): number => mask & (mask >> 1)
/** The bytes of a granule that `size` bytes from `offset` on cover. */
export const bytes = (offset: number, size: number): number => (((1 << Math.min(size, 8)) - 1) << offset) & 0xff
