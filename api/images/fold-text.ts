/** The form in which a search compares texts: without case, accents and character width. */
export const foldText = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .normalize('NFC');
