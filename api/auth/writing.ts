// Unicode Technical Standard 39, “highly restrictive”: nobody can write another user's name with letters of a second writing system that look
// the same, and names in Chinese, Japanese and Korean may contain Latin letters, as they often do.

/** The scripts in everyday use (Unicode Standard Annex 31, table 5). */
const SCRIPTS =
  'Arab Armn Beng Bopo Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Latn Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt';
/** Those that one text may mix. */
const MIXED = ['Latn Hani Hira Kana', 'Latn Hani Bopo', 'Latn Hani Hang'];

/** Texts of some scripts, with what all have: digits, punctuation, emoji, and accents. */
const textsOf = (scripts: string) =>
  new RegExp(`^[${[...scripts.split(' '), 'Zyyy', 'Zinh'].map((script) => `\\p{scx=${script}}`).join('')}]*$`, 'u');
const WRITINGS = [...MIXED, ...SCRIPTS.split(' ')].map(textsOf);

/** Whether the letters of a text are of one writing system. */
export const isOneWriting = (text: string): boolean => WRITINGS.some((texts) => texts.test(text));
