import { type BrowserWindow, type DesktopCapturer, type DesktopCapturerSource, type Display, type Rectangle, screen } from 'electron';
import type { RecorderView, Region } from '#api/desktop/recording.ts';
import type { AppPaths } from '#main/base/files/paths.ts';
import { Reason } from '#main/base/reasons.ts';
import type { Ipc, PageKind } from '#main/ipc.ts';
import type { Texts } from '#main/texts/en.ts';
import { bringToFront, openPage, openWindow, whenPresentable } from '#main/windows/open-window.ts';
import { isPackagedPage } from '#main/windows/pages.ts';
import type { Chosen, Recorder, Stage } from './recorder.ts';

/** Device-independent pixels. */
const BAR = { width: 372, height: 64 };
const MARGIN = 16;
const CHOOSER = { width: 760, height: 560 };
/** Pixels. */
const MAX_SIZE = { width: 3840, height: 2160 };
const THUMBNAIL = { width: 320, height: 200 };
/** Of a frozen display, from 0 to 100. */
const JPEG_QUALITY = 90;
/** The name of the bar and of the list of sources in the address of their page; displays have theirs. */
const BAR_NAME = 'bar';
const SOURCES_NAME = 'sources';

interface Options {
  ipc: Ipc;
  paths: Pick<AppPaths, 'preload' | 'recordPage' | 'icon'>;
  texts(): Texts;
  desktopCapturer: Pick<DesktopCapturer, 'getSources'>;
  /** Under Wayland, only the desktop's own dialog can choose, and windows have no place. */
  wayland: boolean;
  recorder(): Recorder;
  platform?: NodeJS.Platform;
}

/** What the user has chosen in a window. */
type Answer = Partial<Pick<Chosen, 'source' | 'display' | 'region'>>;

interface Choice {
  windows: BrowserWindow[];
  views: Map<string, RecorderView>;
  settle(answer: Answer | undefined): void;
}

/** The bar, and the windows in which the user chooses what is recorded. All show the same packaged page. */
export function setupStage({ ipc, paths, texts, desktopCapturer, wayland, recorder, platform = process.platform }: Options): Stage {
  let bar: BrowserWindow | undefined;
  let choice: Choice | undefined;
  /** The user has cancelled before the windows were there. */
  let isCancelled = false;
  /** Regions by display, to begin the next choice with. */
  const lastRegions = new Map<string, Region>();
  const pageKind = (url: string): PageKind => (isPackagedPage(url, paths.recordPage) ? 'record' : null);
  const look = { paths, pageKind, texts, title: '', frame: false, alwaysOnTop: true, skipTaskbar: true, resizable: false } as const;

  function create(name: string, place: Rectangle, more: Parameters<typeof openWindow>[0] extends infer O ? Partial<O> : never = {}) {
    const window = openWindow({ ...look, ...place, title: texts().recording, minimizable: false, maximizable: false, ...more });
    openPage(window, paths.recordPage, name).catch((error: unknown) => console.error('Couldn’t open a page for recordings:', error));
    return window;
  }

  function settle(answer: Answer | undefined) {
    const ending = choice;
    choice = undefined;
    for (const window of ending?.windows ?? []) if (!window.isDestroyed()) window.close();
    ending?.settle(answer);
  }

  /** Opens windows, the first of which gets the focus, until the user has chosen. */
  function ask(windows: BrowserWindow[], views: Map<string, RecorderView>): Promise<Answer | undefined> {
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    choice = { windows, views, settle: resolve };
    if (isCancelled) settle(undefined);
    for (const [index, window] of windows.entries()) {
      whenPresentable(window, () => (index === 0 ? bringToFront(window) : window.showInactive()));
      // The user has closed one.
      window.on('closed', () => choice?.windows.includes(window) && settle(undefined));
    }
    return promise;
  }

  async function frozen(displays: Display[]): Promise<Map<string, DesktopCapturerSource>> {
    const sides = displays.map(pixelsOf);
    const thumbnailSize = { width: Math.max(...sides.map(({ width }) => width)), height: Math.max(...sides.map(({ height }) => height)) };
    const sources = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize });
    // Some systems don't say which is which; their order is the same.
    return new Map(
      displays.flatMap(({ id }, index) => {
        const source =
          sources.find(({ display_id }) => display_id === String(id)) ?? (sources.length === displays.length && sources[index]);
        return source ? [[String(id), source] as const] : [];
      }),
    );
  }

  async function chooseRegion(): Promise<Chosen | undefined> {
    const pointed = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    const displays = [pointed, ...screen.getAllDisplays().filter(({ id }) => id !== pointed.id)];
    const sources = await frozen(screen.getAllDisplays());
    const views = new Map<string, RecorderView>();
    const windows = displays.flatMap((display) => {
      const name = String(display.id);
      const source = sources.get(name);
      if (!source) return [];
      const picture = new Uint8Array(source.thumbnail.toJPEG(JPEG_QUALITY));
      const scale = source.thumbnail.getSize().width / display.bounds.width;
      views.set(name, { shows: 'region', picture, scale, last: lastRegions.get(name) ?? null, texts: pageTexts() });
      const window = create(name, display.bounds, { enableLargerThanScreen: true, hasShadow: false });
      // Above menu bar and panels.
      window.setAlwaysOnTop(true, 'screen-saver');
      return [window];
    });
    if (windows.length === 0) throw new Reason('captureNoScreen');
    const { display: id, region } = (await ask(windows, views)) ?? {};
    const display = displays.find((each) => String(each.id) === id);
    const source = sources.get(id ?? '');
    if (!region || !display || !source) return undefined;
    lastRegions.set(String(display.id), region);
    const { bounds } = display;
    const { x, y, width, height } = region;
    const crop = { x: x / bounds.width, y: y / bounds.height, width: width / bounds.width, height: height / bounds.height };
    return { source: source.id, display: String(display.id), size: pixelsOf(display), region, crop };
  }

  async function chooseSource(target: 'window' | 'screen'): Promise<Chosen | undefined> {
    const sources = await desktopCapturer.getSources({ types: [target], thumbnailSize: THUMBNAIL });
    if (sources.length === 0) throw new Reason(target === 'window' ? 'recordingNoWindows' : 'captureNoScreen');
    const [only] = sources;
    if (target === 'screen' && only && sources.length === 1) return placed(only);
    const shown = sources.map(({ id, name, thumbnail }) => ({ id, name, picture: new Uint8Array(thumbnail.toJPEG(JPEG_QUALITY)) }));
    const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    const window = create(SOURCES_NAME, centred(workArea, CHOOSER), { resizable: true, frame: true });
    const chosen = await ask([window], new Map([[SOURCES_NAME, { shows: 'sources', sources: shown, texts: pageTexts() }]]));
    const source = sources.find(({ id }) => id === chosen?.source);
    return source && placed(source);
  }

  function placed({ id, display_id }: DesktopCapturerSource): Chosen {
    const display = screen.getAllDisplays().find((each) => String(each.id) === display_id);
    return { source: id, display: display && display_id, size: fitting(display ? [display] : screen.getAllDisplays()) };
  }

  /** What the windows say. */
  function pageTexts(): Record<string, string> {
    const { htmlLang, recording, recordingBar } = texts();
    return { htmlLang, title: recording, ...recordingBar };
  }

  /** Lets only the bar see the screen, and only what the user has chosen. */
  function answerRequests(window: BrowserWindow, { source }: Chosen) {
    const useSystemPicker = platform === 'darwin' && source === undefined;
    window.webContents.session.setDisplayMediaRequestHandler(
      (request, respond) => {
        const isBar = pageKind(request.frame?.url ?? '') === 'record' && recorder().phase() === 'opening';
        sourceFor(source)
          .then((found) => respond(isBar && found ? { video: found, ...(request.audioRequested && { audio: 'loopback' as const }) } : null))
          .catch((error: unknown) => {
            console.error('Couldn’t find what is recorded:', error);
            respond(null);
          });
      },
      { useSystemPicker },
    );
  }

  async function sourceFor(id: string | undefined): Promise<{ id: string; name: string } | undefined> {
    if (id !== undefined) return { id, name: id };
    // Under Wayland, this asks the user.
    return (await desktopCapturer.getSources({ types: ['screen', 'window'], thumbnailSize: { width: 0, height: 0 } }))[0];
  }

  ipc.addWindow({ windows: () => [bar, ...(choice?.windows ?? [])], pages: ['record'], pageKind });
  ipc.handle({
    getRecorder(name) {
      if (name !== BAR_NAME) return choice?.views.get(name) ?? null;
      const shown = recorder().bar();
      return shown ? { shows: 'bar', ...shown, texts: pageTexts() } : null;
    },
    chooseRegion: (display, region) => void settle({ display, region }),
    chooseSource: (source) => void settle({ source }),
    cancelChoice: () => void settle(undefined),
  });

  return {
    choose(target) {
      isCancelled = false;
      const isSystems = wayland || (platform === 'darwin' && target !== 'region');
      if (isSystems) return Promise.resolve({ source: undefined, display: undefined, size: fitting(screen.getAllDisplays()) });
      return target === 'region' ? chooseRegion() : chooseSource(target);
    },
    cancel() {
      isCancelled = true;
      settle(undefined);
    },
    open(chosen) {
      const display = screen.getAllDisplays().find(({ id }) => String(id) === chosen.display);
      const shown = display ?? screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
      const window = create(BAR_NAME, barPlace(shown, chosen.region), {
        // Otherwise the frames of a page that is covered come late.
        backgroundThrottling: false,
        ...(platform === 'darwin' && { type: 'panel' }),
      });
      bar = window;
      // Other programs don't record it either, where the system has that.
      if (platform !== 'linux') window.setContentProtection(true);
      answerRequests(window, chosen);
      window.webContents.on('render-process-gone', () => bar === window && recorder().lost(false));
      // The user has closed it, or quits.
      window.on('closed', () => {
        if (bar !== window) return;
        bar = undefined;
        recorder().lost(true);
      });
      window.webContents.once('did-finish-load', () => {
        // Chromium lets a page see the screen only once the user has done something, which was in another window.
        window.webContents
          .executeJavaScript('openFilm()', true)
          .catch((error: unknown) => bar === window && void recorder().filmEnded(String(error)));
      });
      whenPresentable(window, () => bar === window && window.showInactive());
    },
    refresh: () => ipc.tell('recorderChanged', null),
    close() {
      const closing = bar;
      bar = undefined;
      if (closing && !closing.isDestroyed()) closing.destroy();
    },
  };
}

const pixelsOf = ({ size, scaleFactor }: Display) => ({
  width: Math.round(size.width * scaleFactor),
  height: Math.round(size.height * scaleFactor),
});

/** The largest of these displays, unless that is more than encoders surely take. */
function fitting(displays: Display[]) {
  const sizes = displays.map(pixelsOf);
  return {
    width: Math.min(MAX_SIZE.width, Math.max(...sizes.map(({ width }) => width))),
    height: Math.min(MAX_SIZE.height, Math.max(...sizes.map(({ height }) => height))),
  };
}

function centred({ x, y, width, height }: Rectangle, size: typeof CHOOSER): Rectangle {
  const fitting = { width: Math.min(size.width, width), height: Math.min(size.height, height) };
  return { x: Math.round(x + (width - fitting.width) / 2), y: Math.round(y + (height - fitting.height) / 2), ...fitting };
}

/** Where the bar is: at the bottom of a display, or wherever it isn't in the region that is recorded. */
export function barPlace({ workArea, bounds }: Pick<Display, 'workArea' | 'bounds'>, region: Region | undefined): Rectangle {
  const middle = Math.round(workArea.x + (workArea.width - BAR.width) / 2);
  const [left, right] = [workArea.x + MARGIN, workArea.x + workArea.width - BAR.width - MARGIN];
  const [top, bottom] = [workArea.y + MARGIN, workArea.y + workArea.height - BAR.height - MARGIN];
  const corners = [middle, left, right].flatMap((x) => [bottom, top].map((y) => ({ x, y, ...BAR })));
  const isFree = ({ x, y }: Rectangle) =>
    !region ||
    x + BAR.width <= bounds.x + region.x ||
    x >= bounds.x + region.x + region.width ||
    y + BAR.height <= bounds.y + region.y ||
    y >= bounds.y + region.y + region.height;
  return corners.find(isFree) ?? { x: middle, y: bottom, ...BAR };
}
