import { describe, expect, it } from 'vitest';
import { acceleratorOf, type KeyPress, keysOf, shortcutLabel } from '#renderer/platform/accelerator.ts';
import { describeAgent } from '#renderer/platform/user-agent.ts';

const press = (code: string, ...held: ('ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey')[]): KeyPress => ({
  code,
  ctrlKey: held.includes('ctrlKey'),
  metaKey: held.includes('metaKey'),
  altKey: held.includes('altKey'),
  shiftKey: held.includes('shiftKey'),
});

describe('a combination of keys', () => {
  it.each([
    [press('KeyU', 'ctrlKey', 'shiftKey'), 'linux', 'Control+Shift+U'],
    [press('KeyU', 'metaKey', 'shiftKey'), 'darwin', 'Command+Shift+U'],
    [press('KeyU', 'metaKey'), 'win32', 'Super+U'],
    [press('Digit1', 'altKey'), 'linux', 'Alt+1'],
    [press('F9'), 'linux', 'F9'],
    [press('F24', 'shiftKey'), 'linux', 'Shift+F24'],
    [press('PrintScreen'), 'win32', 'PrintScreen'],
    [press('ArrowUp', 'ctrlKey', 'altKey'), 'linux', 'Control+Alt+Up'],
  ] as const)('%j on %s is %s', (keys, platform, accelerator) => {
    expect(acceleratorOf(keys, platform)).toBe(accelerator);
  });

  it.each([
    ['modifiers alone', press('ShiftLeft', 'ctrlKey', 'shiftKey')],
    ['a letter that would not be typed any more', press('KeyU')],
    ['a capital letter', press('KeyU', 'shiftKey')],
    ['a key that Electron does not know', press('Lang1', 'ctrlKey')],
    ['a key beyond F24', press('F25', 'ctrlKey')],
  ])('is not made of %s', (_what, keys) => {
    expect(acceleratorOf(keys, 'linux')).toBeUndefined();
  });

  it('is written as the system writes it', () => {
    expect(keysOf('CommandOrControl+Shift+U', 'linux')).toEqual(['Ctrl', 'Shift', 'U']);
    expect(keysOf('CommandOrControl+Shift+U', 'darwin')).toEqual(['⌘', '⇧', 'U']);
    expect(keysOf('Super+Alt+P', 'win32')).toEqual(['Win', 'Alt', 'P']);
    expect(keysOf('Super+P', 'linux')).toEqual(['Super', 'P']);
    expect(shortcutLabel('CommandOrControl+Shift+U', 'linux')).toBe('Ctrl+Shift+U');
    expect(shortcutLabel('CommandOrControl+Shift+U', 'darwin')).toBe('⌘⇧U');
  });
});

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge · Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15', 'Safari · macOS'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1', 'Safari · iPhone'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
  ['curl/8.5.0', 'curl'],
])('%s is called %s', (agent, name) => expect(describeAgent(agent)).toBe(name));

it('returns undefined for an empty user agent', () => expect(describeAgent('')).toBeUndefined());
