import { app } from 'electron';
import { findScreenshotsFolder } from './screenshot-places.ts';

/** The folder where this system saves screenshots, if there is one that holds nothing else. */
export function screenshotsFolder(): Promise<string | undefined> {
  const { platform } = process;
  return findScreenshotsFolder({ platform, home: app.getPath('home'), pictures: app.getPath('pictures'), config: app.getPath('appData') });
}
