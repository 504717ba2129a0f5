import { TOTP } from 'otpauth';
import { vi } from 'vitest';

const STEP_MS = 30_000;

/** Stops the clock in the middle of a code's 30 seconds, so that no code expires while a test runs. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2 });
}

/** Moves the stopped clock. */
export function passSteps(steps: number): void {
  vi.setSystemTime(Date.now() + steps * STEP_MS);
}

/** The code that an app shows for a secret, or showed `steps` ago (negative), or will show. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP_MS });
}
