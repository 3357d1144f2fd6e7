/** Text from programs: one line, no control characters. */
// eslint-disable-next-line no-control-regex
export const plain = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, '�')
