import type { CallOutput, DesktopBridge } from '#api/desktop/calls.ts';
import type { PreferenceChange } from '#api/desktop/preferences.ts';

/** What each section of “This computer” gets. */
export interface SectionProps {
  bridge: DesktopBridge;
  preferences: CallOutput<'getPreferences'>;
  change(some: PreferenceChange): void;
}
