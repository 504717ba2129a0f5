const NO_COPYRIGHT = 'n/a';

/** The required description: the name of the colour space. */
export function descriptionTag(space: string, isModern: boolean): Buffer {
  const name = /^[A-Za-z0-9]{3,4} ?$/.test(space) ? space.trim() : 'Color';
  return isModern ? multiLocalized(name) : description(name);
}

/** The required copyright, without any. */
export function copyrightTag(isModern: boolean): Buffer {
  return isModern ? multiLocalized(NO_COPYRIGHT) : Buffer.from(`text\0\0\0\0${NO_COPYRIGHT}\0`, 'latin1');
}

/** Texts since version 4: UTF-16 for any number of languages, here only for English. */
function multiLocalized(text: string): Buffer {
  const head = Buffer.alloc(28);
  head.write('mluc', 'latin1');
  head.writeUInt32BE(1, 8);
  head.writeUInt32BE(12, 12);
  head.write('enUS', 16, 'latin1');
  head.writeUInt32BE(text.length * 2, 20);
  head.writeUInt32BE(28, 24);
  return Buffer.concat([head, Buffer.from(text, 'utf16le').swap16()]);
}

/** Descriptions up to version 2: ASCII, followed by an empty Unicode and an empty Macintosh text. */
function description(text: string): Buffer {
  const tag = Buffer.alloc(12 + text.length + 1 + 8 + 70);
  tag.write('desc', 'latin1');
  tag.writeUInt32BE(text.length + 1, 8);
  tag.write(text, 12, 'latin1');
  return tag;
}
