/** The job of piscina.mjs and tinypool.mjs. */
export default (n) => n * n
