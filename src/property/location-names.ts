/** What the name of a location says: the object it belongs to, and the name without the numbers of objects, which differ from run to run. */

/** Classes of Java have dots where one is in another: `Map.Entry#1`. */
const OBJECT = /^(?:[^.<["]*|[\w$.]+)#\d+(?=[.<[]|$)/
const NUMBER = /^([^.<["]*|[\w$.]+)#\d+(?=[.<[]|$)/
const BLOCK = /^(.*[^ ]#\d+)(?:\+\d+)?$/s
const ACTIVATION = /^(variable .*) #\d+$/
const RESOURCE = /^(?:file:|dir:|port:|clock$)/

/** `Pool#3` of `Pool#3.idle`, `Map#2` of `Map#2<"k">`, `Array#3` of `Array#3[5]`; undefined for a variable or a resource. */
export const objectOf = (location: string): string | undefined => (RESOURCE.test(location) ? undefined : OBJECT.exec(location)?.[0])

/** `Pool` of `Pool#3.idle`, alone in a list; empty where the location is of no object. */
export const classOf = (location: string): readonly string[] => {
  const object = objectOf(location)
  return object === undefined ? [] : [object.replace(/#\d+$/, '')]
}

/** Of a native program: `queue.c:31#2` of `queue.c:31#2+8`, a place in a block of memory that was asked for, and of the block itself. */
export const blockOf = (location: string): string | undefined => (RESOURCE.test(location) ? undefined : BLOCK.exec(location)?.[1])

/** `Pool.idle` for `Pool#3.idle`. */
export const plainLocation = (location: string): string =>
  RESOURCE.test(location) ? location : location.replace(NUMBER, '$1').replace(ACTIVATION, '$1')

/** Can the pattern only fit resources, which are always recorded? */
export const onlyResources = (pattern: string): boolean => RESOURCE.test(pattern)
