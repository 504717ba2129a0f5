import { useState } from 'react';

/** How far a phone has come with its code. */
export type Stage =
  | { at: 'start' }
  | { at: 'asking'; phoneCode: string; checkCode: string; interval: number }
  | { at: 'done'; token: string; username: string }
  | { at: 'finished' | 'denied' | 'used' | 'expired' };

const KEY = 'pixdock.phone';

/**
 * The stage, kept in this tab until it is closed: phones load a page again when its user returns from another app, as when copying the
 * values that are shown here, and the service returns the token only once.
 */
export function useStage(code: string): [Stage, (stage: Stage) => void] {
  const [stage, setStage] = useState<Stage>(() => read(code));
  const change = (next: Stage) => {
    write({ code, stage: next });
    setStage(next);
  };
  return [stage, change];
}

function read(code: string): Stage {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { code?: string; stage?: Stage };
    if (kept.code === code && kept.stage) return kept.stage;
  } catch {
    // Storage is blocked: a page that is loaded again needs another code.
  }
  return code ? { at: 'start' } : { at: 'expired' };
}

function write(kept: { code: string; stage: Stage }): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // As above.
  }
}
