/** The indices of a list in ascending order of its values (as unsigned 32-bit numbers). */
export function sortedBy(list: Int32Array): Int32Array {
  let order = Int32Array.from(list, (_, i) => i)
  for (const shift of [0, 16]) {
    const slot = new Int32Array(0x10001)
    for (const value of list) slot[((value >>> shift) & 0xffff) + 1]!++
    for (let i = 1; i < slot.length; i++) slot[i]! += slot[i - 1]!
    const next = new Int32Array(order.length)
    for (const k of order) next[slot[(list[k]! >>> shift) & 0xffff]!++] = k
    order = next
  }
  return order
}
