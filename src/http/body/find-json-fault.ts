// Finds the offset where text stops being JSON, since V8's message names it only sometimes. Runs after
// JSON.parse has failed, on shallow text.

export function findJsonFault(text: string): number {
  let place = 0

  /** Each of these functions advances `place`; a result tells whether the expected token was found. */
  function skipSpace(): void {
    while (/[\t\n\r ]/.test(text.charAt(place))) place += 1
  }

  function take(expected: string): boolean {
    for (const character of expected) {
      if (text.charAt(place) !== character) return false
      place += 1
    }
    return true
  }

  function takeDigits(): boolean {
    const start = place
    while (/[0-9]/.test(text.charAt(place))) place += 1
    return place > start
  }

  function takeNumber(): boolean {
    if (text.charAt(place) === '-') place += 1
    if (text.charAt(place) === '0') place += 1
    else if (!takeDigits()) return false
    if (text.charAt(place) === '.') {
      place += 1
      if (!takeDigits()) return false
    }
    if (!/[eE]/.test(text.charAt(place))) return true
    place += 1
    if (/[+-]/.test(text.charAt(place))) place += 1
    return takeDigits()
  }

  function takeString(): boolean {
    if (!take('"')) return false
    for (;;) {
      const character = text.charAt(place)
      if (character === '' || character < ' ') return false
      place += 1
      if (character === '"') return true
      if (character === '\\' && !takeEscape()) return false
    }
  }

  function takeEscape(): boolean {
    const kind = text.charAt(place)
    if (kind === '' || !'"\\/bfnrtu'.includes(kind)) return false
    place += 1
    for (let digits = kind === 'u' ? 4 : 0; digits > 0; digits -= 1) {
      if (!/[0-9a-fA-F]/.test(text.charAt(place))) return false
      place += 1
    }
    return true
  }

  function takeList(end: string, takeItem: () => boolean): boolean {
    place += 1
    skipSpace()
    if (text.charAt(place) === end) return take(end)
    for (;;) {
      if (!takeItem()) return false
      skipSpace()
      if (text.charAt(place) !== ',') return take(end)
      place += 1
      skipSpace()
    }
  }

  function takeMember(): boolean {
    if (!takeString()) return false
    skipSpace()
    return take(':') && takeValue()
  }

  function takeValue(): boolean {
    skipSpace()
    switch (text.charAt(place)) {
      case '{':
        return takeList('}', takeMember)
      case '[':
        return takeList(']', takeValue)
      case '"':
        return takeString()
      case 't':
        return take('true')
      case 'f':
        return take('false')
      case 'n':
        return take('null')
      default:
        return takeNumber()
    }
  }

  if (takeValue()) skipSpace()
  return place
}
