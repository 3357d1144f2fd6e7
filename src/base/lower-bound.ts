/** Where in a rising list the first number stands that is not below `value`: so many are smaller. */
export function lowerBound(list: ArrayLike<number>, value: number): number {
  let lo = 0
  let hi = list.length
  while (lo < hi) {
    const mid = (lo + hi) >>> 1
    if (list[mid]! < value) lo = mid + 1
    else hi = mid
  }
  return lo
}
