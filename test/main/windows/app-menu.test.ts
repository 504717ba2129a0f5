import type { MenuItemConstructorOptions } from 'electron';
import { expect, it, vi } from 'vitest';
import { zh } from '#main/texts/zh.ts';
import { appMenu } from '#main/windows/app-menu.ts';

vi.mock('electron', () => ({ Menu: {} }));

const actions = { uploadFiles: vi.fn(), openLogFolder: vi.fn(), quit: vi.fn() };
const itemsOf = ({ submenu }: MenuItemConstructorOptions) => submenu as MenuItemConstructorOptions[] | undefined;

it.each(['darwin', 'win32', 'linux'] as const)('has Chinese labels on %s, not Electron’s English ones', (platform) => {
  const menus = appMenu(zh, actions, platform);
  for (const menu of menus) expect(itemsOf(menu), menu.role).not.toHaveLength(0);
  const items = menus.flatMap((menu) => itemsOf(menu) ?? [menu]).filter(({ type }) => type !== 'separator');
  for (const { label, role } of items) expect(label, role).toMatch(/\p{Script=Han}/u);
});

it('gives macOS the menu of the app, with its standard items', () => {
  const [first] = appMenu(zh, actions, 'darwin');
  expect(first?.role).toBe('appMenu');
  expect(itemsOf(first ?? {})?.map(({ role }) => role)).toEqual(expect.arrayContaining(['about', 'hide', 'hideOthers', 'unhide', 'quit']));
});
