import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { RecorderView } from '#api/desktop/recording.ts';
import { element } from './dom.ts';

/** What can be recorded as a whole, with pictures. */
export function showSources(bridge: DesktopBridge, { sources, texts }: Extract<RecorderView, { shows: 'sources' }>): void {
  document.title = texts.chooseWindow ?? '';
  element('heading').textContent = document.title;
  element('sources').replaceChildren(
    ...sources.map(({ id, name, picture }) => {
      const made = Object.assign(document.createElement('button'), { type: 'button', title: name });
      const image = Object.assign(document.createElement('img'), { alt: '' });
      image.src = URL.createObjectURL(new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }));
      const label = document.createElement('span');
      label.textContent = name;
      made.append(image, label);
      made.addEventListener('click', () => void bridge.chooseSource(id));
      const item = document.createElement('li');
      item.append(made);
      return item;
    }),
  );
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') void bridge.cancelChoice();
  });
  element('sources').querySelector('button')?.focus();
}
