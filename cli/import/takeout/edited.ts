/**
 * What Google Photos adds to the name of an edited picture, in the language of the account. A copy has no JSON file of its own. Names
 * that aren't listed aren't guessed: `Anna-Lena.jpg` isn't an edited `Anna.jpg`.
 */
const EDITED = [
  'edited',
  'bearbeitet',
  'modifié',
  'modificato',
  'modificata',
  'editado',
  'editada',
  'ha editado',
  'editat',
  'editată',
  'bewerkt',
  'edytowane',
  'redigeret',
  'redigert',
  'redigerad',
  'muokattu',
  'upraveno',
  'upravené',
  'szerkesztett',
  'düzenlendi',
  'отредактировано',
  'изменено',
  'відредаговано',
  'редактирано',
  'uređeno',
  'urejeno',
  'redaguota',
  'rediģēts',
  'muudetud',
  'επεξεργασμένο',
  '已修改',
  '已编辑',
  '编辑',
  '已編輯',
  '編輯',
  '編集済み',
  '편집됨',
  '수정됨',
  'đã chỉnh sửa',
  'diedit',
  'แก้ไขแล้ว',
  'संपादित',
  'تم التعديل',
  'נערך',
  // What Google made of a picture; these are English everywhere, and some have a JSON file.
  'effects',
  'smile',
  'mix',
  'motion',
  'animation',
  'collage',
].map((word) => word.normalize('NFC'));

/** Google cuts names of this length or more, and with them the word. */
const CUT_LENGTH = 44;

/** The name of the original, if this one is that of an edited copy; both without extension and number, in NFC and lower case. */
export function originalOf(base: string): string | undefined {
  const dash = base.lastIndexOf('-');
  if (dash < 1) return undefined;
  const word = base.slice(dash + 1);
  const isCut = base.length >= CUT_LENGTH && word.length > 1 && EDITED.some((whole) => whole.startsWith(word));
  return isCut || EDITED.includes(word) ? base.slice(0, dash) : undefined;
}
