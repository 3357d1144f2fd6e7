import type { Polygraph } from '../../src/solve/polygraph/polygraph.ts'

/** Three chains, seven polyedges, infeasible; no three of the polyedges force a fourth. */
export const THREE_TASKS_SEVEN_CHOICES: Polygraph = {
  n: 32,
  next: Array.from({ length: 32 }, (_, i) => ([11, 20, 31].includes(i) ? -1 : i + 1)),
  hard: [
    [1, 26],
    [2, 17],
    [23, 10],
    [12, 9],
    [13, 31],
    [22, 17],
  ],
  poly: [
    [20, 27, 28, 12],
    [19, 5, 8, 13],
    [16, 1, 10, 15],
    [18, 23, 29, 14],
    [31, 3, 4, 21],
    [7, 22, 30, 6],
    [11, 24, 25, 0],
  ],
}
