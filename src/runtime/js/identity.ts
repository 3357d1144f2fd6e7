/**
 * Puts something on any object without anyone being able to see it: a class that extends this one adds its private fields to the object its
 * constructor is given, and to look for them is a compare.
 */
export class Identity {
  constructor(object: object) {
    return object
  }
}
