import { notifications } from '@mantine/notifications';
import { IconCheck } from '@tabler/icons-react';

let lastCopied = '';

/** Says that links were copied, in place of the last notice that did. */
export function showCopied(notice: Omit<Parameters<typeof notifications.show>[0], 'id'>): void {
  hideCopied();
  lastCopied = notifications.show({ color: 'petrol.7', icon: <IconCheck size={18} />, ...notice });
}

export const hideCopied = (): unknown => notifications.hide(lastCopied);
