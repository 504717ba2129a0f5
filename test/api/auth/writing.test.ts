import { describe, expect, it } from 'vitest';
import { username } from '#api/auth/auth.ts';

describe('a user name', () => {
  it.each([
    'alice',
    'Zoë-2',
    '小明',
    '小明Tom',
    'Tom.小明_88',
    '田中さくら',
    'タナカkun',
    '김민수',
    '김金Kim',
    'ㄅㄆㄇ小',
    'Алиса',
    'Ελένη',
    'أحمد',
    'דוד',
    'राम',
    'สมชาย',
    'a🎉',
    '李_雷-01',
    'é'.normalize('NFD'),
  ])('may be %s', (name) => {
    expect(username.parse(name)).toBe(name.normalize('NFC'));
  });

  it.each([
    ['аlice', 'a Cyrillic а'],
    ['alicе', 'a Cyrillic е'],
    ['Αlice', 'a Greek Α'],
    ['pаypаl-小明', 'Cyrillic between Latin and Chinese'],
    ['小明Алиса', 'Chinese and Cyrillic'],
    ['김さくら', 'Korean and Japanese'],
    ['ㄅさ', 'Bopomofo and Japanese'],
    ['aliсe2', 'a Cyrillic с'],
    ['ꭺꮮ', 'Cherokee, which isn’t in everyday use'],
    ['𐌀lice', 'Old Italic'],
    ['αβa', 'Greek and Latin'],
    ['אa', 'Hebrew and Latin'],
  ])('may not be %s (%s)', (name) => {
    expect(username.safeParse(name).error?.issues[0]).toMatchObject({ code: 'custom', path: [] });
  });

  it('has no blanks, and nothing that is invisible', () => {
    expect(username.parse(' alice ')).toBe('alice');
    for (const name of ['a b', 'a\nb', 'a@b', 'a/b', '\u3164', 'a\u200db', 'a\u202eb', 'a\u001bb', 'a\u2800b', 'a\u200bb', 'a\ud83d'])
      expect([name, username.safeParse(name).success]).toEqual([name, false]);
  });
});
