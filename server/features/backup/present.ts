import { toInstant } from '#server/platform/base/instant.ts';
import type { RunningBackup } from './backups.ts';

export function presentBackup({ name, size, createdAt }: { name: string; size: number; createdAt: Date }) {
  return { name, size, created_at: createdAt.toISOString() };
}

export function presentRunning(running: RunningBackup | undefined) {
  if (!running) return null;
  return { started_at: toInstant(running.startedAt), bytes: running.bytes, total_bytes: running.totalBytes };
}
