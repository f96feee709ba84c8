// Letters that do not come apart into a base letter and marks, and what is written in their place.

export const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  œ: 'oe',
  Œ: 'OE',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  Ł: 'L',
}
