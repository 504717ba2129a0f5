import { z } from 'zod';
import { cutText } from '#api/plain-text.ts';

const MAX_CHARACTERS = 160;

/** Why data doesn't start, as one sentence for admins: without the paths of this computer. */
export function reasonOf(error: unknown, dataDir: string): string {
  const [line = ''] = messageOf(error).replaceAll(dataDir, '…').split('\n');
  const text = line.length > MAX_CHARACTERS ? `${cutText(line, MAX_CHARACTERS)}…` : line;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return `These values aren’t valid: ${error.issues.map(({ path }) => path.join('.')).join(', ')}`;
  return error instanceof Error ? error.message : String(error);
}
