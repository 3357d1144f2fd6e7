/**
 * Attaches hidden data to any object: a class that extends this one adds its private fields to the object that its constructor is given. Looking for
 * them is a comparison.
 */
export class Identity {
  constructor(object: object) {
    return object
  }
}
