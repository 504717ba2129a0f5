import { EventEmitter } from 'node:events';
import type { PowerMonitor } from 'electron';
import { isHostile } from '#test/desktop/double/traits.ts';

/** Milliseconds between two naps, and that the system leaves an app after `shutdown`. */
const NAP_INTERVAL = 250;
const SHUTDOWN_LIMIT = 200;

/** Tests emit its events. */
class DoublePowerMonitor extends EventEmitter implements Pick<PowerMonitor, 'emit' | 'isOnBatteryPower'> {
  isOnBatteryPower(): boolean {
    return false;
  }

  override emit(name: string, ...values: unknown[]): boolean {
    const wasHeard = super.emit(name, ...values);
    if (name === 'shutdown' && isHostile('shutdown-kills')) setTimeout(() => process.kill(process.pid, 'SIGKILL'), SHUTDOWN_LIMIT);
    return wasHeard;
  }

  /** Suspends and resumes over and over, uploads or not. */
  napIfHostile() {
    if (!isHostile('sleeps')) return;
    setInterval(() => {
      this.emit('suspend');
      this.emit('resume');
    }, NAP_INTERVAL).unref();
  }
}

export const powerMonitor = new DoublePowerMonitor();
