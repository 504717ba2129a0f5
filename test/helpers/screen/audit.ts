import axe from 'axe-core';
import { expect } from 'vitest';
import { commands, page } from 'vitest/browser';
import { findFaults, untilStill } from './faults.ts';
import { DESK, PHONE, RULES, type Screen, WINDOW } from './screens.ts';

/** Fails on visual faults that stay: what scripts still lay out, and messages that go away, don't count. */
export async function expectNoFaults(name: string): Promise<void> {
  const faults = async () => {
    await untilStill();
    return findFaults();
  };
  await expect.poll(faults, { message: name }).toEqual([]);
}

/** Fails on accessibility violations and visual faults. */
export async function audit(name: string): Promise<void> {
  await expectNoFaults(name);
  const { violations } = await axe.run(document, { resultTypes: ['violations'], rules: RULES });
  expect(
    violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(' | ')}`),
    name,
  ).toEqual([]);
}

/** The same in a window of another size, with its colours. */
async function auditIn({ width, height, colorScheme }: Screen, name: string) {
  await commands.emulateMedia({ colorScheme });
  await page.viewport(width, height);
  await audit(`${name}, ${colorScheme}, ${width} px`);
}

/** Fails on accessibility violations and visual faults, on a phone in dark colours and on a desktop in light ones. */
export async function checkPage(name: string): Promise<void> {
  await auditIn(PHONE, name);
  await auditIn(DESK, name);
  await commands.emulateMedia({ colorScheme: null });
  await page.viewport(WINDOW.width, WINDOW.height);
}
