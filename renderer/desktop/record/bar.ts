import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { RecorderView } from '#api/desktop/recording.ts';
import { button, element } from './dom.ts';
import { Film } from './film.ts';

const ICONS = {
  pause: 'M8 7h1v10H8zM15 7h1v10h-1z',
  resume: 'M8 5l11 7-11 7z',
  stop: 'M7 7h10v10H7z',
  discard: 'M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3',
} as const;

type Bar = Extract<RecorderView, { shows: 'bar' }>;

/** The bar: how long the recording is, and what can be done with it. Main decides when the film begins and ends. Returns what opens it. */
export function showBar(bridge: DesktopBridge, first: Bar): () => Promise<void> {
  let view = first;
  let film: Film | undefined;
  /** Seconds that are left, where they are few. */
  let left: number | null = null;
  let isAsking = false;
  const text = (name: string) => view.texts[name] ?? '';
  document.title = text('title');
  element('heading').textContent = text('title');

  const steer = (what: 'pause' | 'resume' | 'stop' | 'discard') => void bridge.steerRecording(what);
  const ask = (asks: boolean) => {
    isAsking = asks;
    draw();
    element('tools').querySelector('button')?.focus();
  };
  let drawn = '';

  function draw() {
    const { phase } = view;
    document.body.dataset.phase = phase;
    const seconds = film?.seconds() ?? 0;
    const time = new Date(1000 * Math.floor(seconds)).toISOString().slice(11, 19);
    element<HTMLTimeElement>('time').dateTime = `PT${seconds.toFixed(3)}S`;
    element('time').textContent = phase === 'counting' || phase === 'opening' ? '' : time.replace(/^00:/, '');
    const state = {
      opening: text('opening'),
      counting: text('startsIn').replace('{count}', String(view.count)),
      paused: text('isPaused'),
      stopping: text('saving'),
      recording: text('running'),
    }[phase as string];
    const warning = left === null || phase === 'stopping' ? undefined : text('left').replace('{count}', String(Math.ceil(left)));
    const said = isAsking ? text('askDiscard') : (warning ?? state ?? '');
    if (element('state').textContent !== said) element('state').textContent = said;
    document.body.classList.toggle('warns', warning !== undefined);
    // Buttons stay the same ones, so that the focus stays.
    const next = `${phase} ${isAsking}`;
    if (drawn === next) return;
    const focused = document.activeElement instanceof HTMLButtonElement ? document.activeElement.dataset.name : undefined;
    drawn = next;
    const named = (name: string, made: HTMLButtonElement) => {
      made.dataset.name = name;
      return made;
    };
    const pausing = phase === 'paused' ? ('resume' as const) : ('pause' as const);
    const tools =
      phase === 'stopping'
        ? []
        : phase === 'opening' || phase === 'counting'
          ? [
              named(
                'cancel',
                button(text('cancel'), () => steer('stop')),
              ),
            ]
          : isAsking
            ? [
                named(
                  'keep',
                  button(text('keep'), () => ask(false)),
                ),
                named(
                  'discard',
                  button(text('discard'), () => steer('discard')),
                ),
              ]
            : [
                named(
                  'pause',
                  button(text(pausing), () => steer(pausing), ICONS[pausing]),
                ),
                named(
                  'stop',
                  button(text('stop'), () => steer('stop'), ICONS.stop),
                ),
                named(
                  'discard',
                  button(text('discard'), () => ask(true), ICONS.discard),
                ),
              ];
    element('tools').replaceChildren(...tools);
    if (focused) (tools.find(({ dataset }) => dataset.name === focused) ?? tools[0])?.focus();
  }

  async function refresh() {
    const next = await bridge.getRecorder('bar');
    if (next?.shows !== 'bar') return;
    view = next;
    if (view.phase === 'recording') {
      film?.resume();
      film?.begin();
    } else if (view.phase === 'paused') film?.pause();
    else if (view.phase === 'stopping') void film?.finish();
    draw();
  }

  async function openFilm() {
    try {
      film = await Film.open(view.film, {
        append: async (...part) => {
          left = await bridge.appendFilm(...part);
        },
        poster: bridge.keepFilmPoster,
        ended: (problem) => void bridge.filmEnded(problem),
      });
      await bridge.filmReady();
    } catch (error) {
      await bridge.filmEnded(String(error));
    }
  }

  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && isAsking) ask(false);
  });
  bridge.onRecorderChanged(() => void refresh());
  setInterval(draw, 250);
  draw();
  return openFilm;
}
