import { expect, test } from 'vitest';
import { en } from '#main/texts/en.ts';
import { zh } from '#main/texts/zh.ts';
import { trayImage, trayTooltip } from '#main/tray/icon-and-tooltip.ts';
import { down, failing, quiet, uploading } from './states.ts';

test.each([
  ['idle', {}],
  ['uploading', { uploads: uploading }],
  ['paused', { uploads: { ...uploading, isPaused: true } }],
  ['problem', { uploads: { ...failing, left: 2 } }],
  ['problem', { service: down }],
  ['problem', { account: { name: 'bob', missing: true } }],
] as const)('the icon is %s for %o', (image, change) => {
  expect(trayImage({ ...quiet, ...change })).toBe(image);
});

test('describes the state of the icon in the tooltip', () => {
  expect(trayTooltip(quiet, en)).toBe('Pixdock');
  expect(trayTooltip({ ...quiet, uploads: uploading }, en)).toBe('Pixdock: Uploading 2 pictures…');
  expect(trayTooltip({ ...quiet, uploads: { ...uploading, percent: 40 } }, en)).toBe('Pixdock: Uploading 2 pictures… 40 %');
  expect(trayTooltip({ ...quiet, uploads: { ...uploading, percent: 40, isWaiting: true } }, en)).toBe('Pixdock: 2 uploads are waiting');
  expect(trayTooltip({ ...quiet, service: down }, zh)).toBe('Pixdock 服务未运行：端口已被其他程序占用');
  expect(trayTooltip({ ...quiet, quit: 'again' }, zh)).toBe('Pixdock: 稍后重新启动…');
  const disabled = { ...quiet, account: { name: 'bob', missing: true } };
  expect(trayTooltip(disabled, en)).toBe('Pixdock: Uploads are on hold: the account for uploads is disabled or deleted');
});
