import type { DesktopCapturer, Display, Screen } from 'electron';
import { Reason } from '#main/base/reasons.ts';
import { program } from './programs.ts';
import type { CaptureTool } from './tool.ts';

export interface Screens {
  screen: Pick<Screen, 'getCursorScreenPoint' | 'getDisplayNearestPoint'>;
  desktopCapturer: Pick<DesktopCapturer, 'getSources'>;
}

const displayAtPointer = ({ screen }: Pick<Screens, 'screen'>) => screen.getDisplayNearestPoint(screen.getCursorScreenPoint());

/** All of the screen that has the pointer, with nothing but Electron. */
export function pointerScreen(screens: Screens): CaptureTool {
  return {
    name: 'Screen recording',
    async capture() {
      const display: Partial<Display> | undefined = displayAtPointer(screens);
      const { id, size, scaleFactor = 1 } = display ?? {};
      // Not every system names its screens.
      if (!size) throw new Reason('captureNoScreen');
      const thumbnailSize = { width: Math.round(size.width * scaleFactor), height: Math.round(size.height * scaleFactor) };
      const sources = await screens.desktopCapturer.getSources({ types: ['screen'], thumbnailSize });
      // Some systems don't say which screen is which.
      const source = sources.find(({ display_id }) => display_id === String(id)) ?? (sources.length === 1 ? sources[0] : undefined);
      if (!source || source.thumbnail.isEmpty()) throw new Reason('captureNoScreen');
      return { kind: 'bytes', bytes: source.thumbnail.toPNG(), ext: 'png' };
    },
  };
}

/** The same with macOS's own program, in the colours and at the resolution of the screen. */
export function macScreen(screens: Pick<Screens, 'screen'>): CaptureTool {
  return program('/usr/sbin/screencapture', (file) => {
    const { x, y, width, height } = displayAtPointer(screens).bounds;
    return ['-x', `-R${x},${y},${width},${height}`, file];
  });
}
