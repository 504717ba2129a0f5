import type { Preferences } from '#api/desktop/preferences.ts';
import type { CallOutput, DesktopBridge } from '#api/desktop.ts';

/** What each section of “This computer” gets. */
export interface SectionProps {
  bridge: DesktopBridge;
  preferences: CallOutput<'getPreferences'>;
  change(some: Partial<Preferences>): void;
}
