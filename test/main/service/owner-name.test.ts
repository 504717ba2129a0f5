import { expect, test } from 'vitest';
import { ownerName } from '#main/service/owner-name.ts';

test.each([
  ['ada', 'ada'],
  ['Ada Lovelace', 'Ada-Lovelace'],
  ['DOMAIN\\ada', 'DOMAIN-ada'],
  ['李雷', '李雷'],
  ['', 'owner'],
  ['x'.repeat(65), 'owner'],
])("the system's user %s becomes the owner %s", (system, owner) => {
  expect(ownerName(system)).toBe(owner);
});
