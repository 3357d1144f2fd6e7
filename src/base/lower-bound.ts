/** The index of the first number in an ascending list that is not below `value`. */
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
