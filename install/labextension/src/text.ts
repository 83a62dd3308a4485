// Positions in two texts that differ in blanks only.

/** Returns how many characters of a text before an offset are not blank. */
function inked(text: string, end: number): number {
  return text.slice(0, end).replace(/\s+/g, '').length;
}

/** Reports whether two texts differ in blanks only. */
export function sameInk(a: string, b: string): boolean {
  return a === b || a.replace(/\s+/g, '') === b.replace(/\s+/g, '');
}

/** Returns the offset in the text `to` of the character that follows an offset in the text `from`, which differs in blanks only. */
export function offsetIn(to: string, from: string, offset: number): number {
  if (to === from) {
    return offset;
  }
  let left = inked(from, offset);
  let at = 0;
  while (at < to.length && (left > 0 || /\s/.test(to[at]))) {
    left -= /\s/.test(to[at]) ? 0 : 1;
    at++;
  }
  return at;
}
