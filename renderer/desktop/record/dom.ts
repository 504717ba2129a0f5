const SVG = 'http://www.w3.org/2000/svg';

/** The element of the page with an id. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found as T;
}

/** A button with words, or with an icon and the words in its tooltip. */
export function button(label: string, act: () => void, icon?: string): HTMLButtonElement {
  const made = Object.assign(document.createElement('button'), { type: 'button' });
  made.addEventListener('click', act);
  if (icon === undefined) made.textContent = label;
  else {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', icon);
    svg.append(path);
    made.append(svg);
    made.title = label;
    made.setAttribute('aria-label', label);
  }
  return made;
}
