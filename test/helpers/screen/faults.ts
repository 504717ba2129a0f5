/** Resolves once no transition or finite animation runs; what inherits a colour may begin its own after its parent has ended. Needs nothing from outside, as below. */
export async function untilStill(): Promise<void> {
  const moving = () =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime));
  for (let all = moving(); all.length > 0; all = moving()) await Promise.all(all.map(({ finished }) => finished.catch(() => undefined)));
}

/** The visual faults of the page as it is, one line each, with the kind first. Playwright sends this function into the page, so it needs nothing from outside. */
export function findFaults(): string[] {
  /** Rounding, and outlines of letters that reach beyond their boxes. */
  const SLACK = 2;
  const MIN_TARGET = 24;
  /** Below this height, a message and a panel can't both be seen. */
  const LOW_WINDOW = 480;
  /** Has a line to itself on any screen. Links and paths are longer. */
  const SHORT_WORD = /(?<![\p{L}\p{N}\p{P}\p{S}])[A-Za-z]{2,12}(?![\p{L}\p{N}\p{P}\p{S}])/gu;
  /** So does such a label: Chinese may break between any two characters. */
  const SHORT_LABEL = /^\s*\p{Script=Han}{2,4}\s*$/u;
  /** Thumbnails come in steps; a tenth more isn't visible. */
  const MAX_SCALE = 1.1;
  const CONTROL =
    'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=option], [role=slider], [role=switch]';
  const DIALOG = 'dialog, [role=dialog]';
  const POPUP = `${DIALOG}, [role=menu], [role=listbox], [role=tooltip]`;
  const FIELD = 'input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=file]), textarea';

  interface Box {
    left: number;
    top: number;
    right: number;
    bottom: number;
  }
  /** A line of text, with what is visible of it. */
  interface Line {
    element: Element;
    /** The first and last character of the text, where the line begins or ends with them. */
    first: string;
    last: string;
    box: Box;
    shown: Box;
  }

  const faults = new Set<string>();
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const known = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, known);
    return known;
  };
  const isVisible = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const width = (box: Box) => box.right - box.left;
  const height = (box: Box) => box.bottom - box.top;
  const common = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const name = (element: Element) => {
    const classes = [...element.classList].filter((token) => !/^m_[0-9a-f]+$/.test(token)).slice(0, 2);
    const label = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40);
    return `<${[element.localName, ...classes].join('.')}${label ? ` "${label}"` : ''}>`;
  };
  const report = (kind: string, detail: string) => faults.add(`${kind}: ${detail}`);

  const ancestors = (element: Element): Element[] => {
    const found: Element[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) found.push(at);
    return found;
  };
  /** The ancestors whose edges cut an element off: those up to the block that it is positioned in don't. */
  const clippers = (element: Element): Element[] => {
    const found: Element[] = [];
    let position = styleOf(element).position;
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      const style = styleOf(at);
      const contains = style.transform !== 'none' || style.containerType !== 'normal' || /paint|layout|strict|content/.test(style.contain);
      if (position === 'fixed' && !contains) continue;
      if (position === 'absolute' && style.position === 'static' && !contains) continue;
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible' || style.clipPath !== 'none') found.push(at);
      position = style.position;
    }
    return found;
  };
  const clipBoxes = new Map<Element, Box>();
  /** The edge at which an element cuts off its contents. */
  const clipBox = (element: Element): Box => {
    const known = clipBoxes.get(element);
    if (known) return known;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const { overflowX, overflowY, clipPath } = styleOf(element);
    const [x, y] = [overflowX !== 'visible' || clipPath !== 'none', overflowY !== 'visible' || clipPath !== 'none'];
    const box = { left: x ? left : -Infinity, right: x ? right : Infinity, top: y ? top : -Infinity, bottom: y ? bottom : Infinity };
    clipBoxes.set(element, box);
    return box;
  };
  const scrolls = (value: string) => value === 'auto' || value === 'scroll';
  /** For screen readers only: a point, or cut away. */
  const isHiddenFromSight = (element: Element) =>
    ancestors(element).some((at) => {
      const { clipPath, position } = styleOf(at);
      if (position !== 'absolute' && position !== 'fixed') return false;
      const { width: w, height: h } = at.getBoundingClientRect();
      return (w <= 1 && h <= 1) || /inset\((50|100)%\)/.test(clipPath);
    });

  // Text.
  const lines: Line[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const cut = new Set<Element>();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.nodeValue ?? '';
    if (!element || !text.trim() || /^(script|style|noscript|option|textarea|title|desc)$/.test(element.localName)) continue;
    if (element.closest('svg, canvas') || !isVisible(element) || isHiddenFromSight(element)) continue;
    // A name with a title is someone's own, and may be of any length.
    for (const { 0: word, index } of element.closest('[title]') ? [] : text.matchAll(SHORT_WORD)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) report('broken word', `${name(element)} in "${word}"`);
    }
    range.selectNodeContents(node);
    if (SHORT_LABEL.test(text) && new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) report('broken word', name(element));
    const limits = clippers(element);
    // The block that holds the text cuts it off, too.
    const all = styleOf(element).overflowX !== 'visible' || styleOf(element).overflowY !== 'visible' ? [element, ...limits] : limits;
    const rows = [...range.getClientRects()];
    for (const [row, { left, top, right, bottom }] of rows.entries()) {
      const box: Box = { left, top, right, bottom };
      if (width(box) < 1) continue;
      let shown: Box = box;
      for (const limit of all) {
        const next = common(shown, clipBox(limit));
        const { overflowX, overflowY, textOverflow, webkitLineClamp } = styleOf(limit);
        const lostX = width(shown) - width(next) > SLACK && !scrolls(overflowX);
        // A line may be higher than its block, whose letters are whole anyway.
        const lostY = height(shown) - height(next) > height(box) / 4 + SLACK && !scrolls(overflowY);
        shown = next;
        if (width(next) <= 0 || height(next) <= 0) break;
        if ((lostX && textOverflow !== 'ellipsis') || (lostY && webkitLineClamp === 'none'))
          report('cut text', `${name(element)} by ${name(limit)}`);
        else if (lostX || lostY) cut.add(limit);
      }
      if (width(shown) > 0 && height(shown) > 0)
        lines.push({ element, first: row === 0 ? text.charAt(0) : '', last: row === rows.length - 1 ? text.slice(-1) : '', box, shown });
    }
  }
  for (const element of cut)
    if (!element.closest('[title], [aria-label]') && !element.querySelector('[title]')) report('cut text', `${name(element)} has no title`);
  const measure = document.createElement('canvas').getContext('2d');
  for (const field of document.querySelectorAll<HTMLInputElement>(FIELD)) {
    const text = field.value || field.placeholder;
    if (!measure || !text || (field.value && !field.readOnly) || field.localName === 'textarea' || !isVisible(field)) continue;
    if (isHiddenFromSight(field) || field.title) continue;
    const { font, paddingLeft, paddingRight } = styleOf(field);
    measure.font = font;
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    if (measure.measureText(text).width > room + SLACK) report('cut text', `${name(field)} "${text}" in a field`);
  }

  // What lies on what: everything must be found, also what lets clicks pass.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { pointer-events: auto !important; }');
  document.adoptedStyleSheets.push(sheet);
  /** What moves on its own above the page, or the page itself. */
  const layerOf = (element: Element) =>
    ancestors(element).find(
      (at) => /fixed|sticky/.test(styleOf(at).position) || (styleOf(at).position === 'absolute' && styleOf(at).zIndex !== 'auto'),
    );
  const isOpaque = (element: Element) => {
    const { backgroundColor, backgroundImage } = styleOf(element);
    if (/^(img|video|canvas)$/.test(element.localName) || backgroundImage.startsWith('url(')) return true;
    const alpha = /\/ ([\d.]+)(%?)\)$|rgba\(.*, ([\d.]+)\)$/.exec(backgroundColor);
    return alpha ? Number(alpha[1] ?? alpha[3]) / (alpha[2] ? 100 : 1) > 0.85 : backgroundColor !== 'transparent';
  };
  /** Whether both texts are seen at a point. Outside the window, nothing can be found, so there those of one layer count. */
  const seeBoth = (one: Line, other: Line, x: number, y: number) => {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return layerOf(one.element) === layerOf(other.element);
    const found = document.elementsFromPoint(x, y);
    const last = found.findIndex(isOpaque);
    const seen = last < 0 ? found : found.slice(0, last + 1);
    return seen.includes(one.element) && seen.includes(other.element);
  };

  /** Of a line's height, the part that most letters fill. */
  const letters = (box: Box): Box => ({ ...box, top: box.top + height(box) * 0.22, bottom: box.bottom - height(box) * 0.2 });
  const LETTER = /[\p{L}\p{N}]/u;
  const HAN = /\p{Script=Han}/u;
  lines.sort((a, b) => a.shown.top - b.shown.top);
  for (const [index, one] of lines.entries()) {
    for (let next = index + 1; next < lines.length; next++) {
      const other = lines[next] as Line;
      if (other.shown.top > one.shown.bottom) break;
      if (other.element === one.element) continue;
      const both = common(letters(one.shown), letters(other.shown));
      if (height(both) <= 1) continue;
      const [x, y] = [(both.left + both.right) / 2, (both.top + both.bottom) / 2];
      if (width(both) > SLACK) {
        if (seeBoth(one, other, x, y)) report('overlapping text', `${name(one.element)} and ${name(other.element)}`);
      } else if (width(both) > -1.5 && height(both) > height(letters(one.shown)) / 2) {
        const [left, right] = one.box.left < other.box.left ? [one, other] : [other, one];
        const [last, first] = [left.last, right.first];
        if (layerOf(one.element) !== layerOf(other.element)) continue;
        if (LETTER.test(last) && LETTER.test(first) && !HAN.test(last) && !HAN.test(first))
          report('touching text', `${name(left.element)} and ${name(right.element)}`);
      }
    }
  }

  // Controls.
  /** A link that the keyboard brings into view. Trying it would close menus. */
  const comesIntoView = (control: HTMLElement) =>
    [...document.styleSheets]
      .flatMap((sheet) => {
        try {
          return [...sheet.cssRules];
        } catch {
          return []; // those of pages from files can't be read
        }
      })
      .some(
        (rule) =>
          rule instanceof CSSStyleRule &&
          rule.selectorText.includes(':focus') &&
          ['transform', 'top', 'inset-block-start'].some((property) => rule.style.getPropertyValue(property)) &&
          control.matches(rule.selectorText.replace(/:focus(-visible|-within)?/g, ':not(#_)')),
      );
  for (const control of document.querySelectorAll<HTMLElement>(CONTROL)) {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('[inert], [aria-hidden=true], svg')) continue;
    if (isHiddenFromSight(control) || control.matches(':disabled')) continue;
    const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])].filter(isVisible) : [];
    const parts = [control, ...labels];
    const boxes = parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width > 0 && box.height > 0);
    if (boxes.length === 0 || (!isVisible(control) && labels.length === 0)) continue;
    const box = boxes.reduce<Box>(
      (all, one) => ({
        left: Math.min(all.left, one.left),
        top: Math.min(all.top, one.top),
        right: Math.max(all.right, one.right),
        bottom: Math.max(all.bottom, one.bottom),
      }),
      { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity },
    );
    const limits = clippers(control);
    const shown = limits.map(clipBox).reduce(common, box);
    const isScrolledAway = limits.some((limit) => scrolls(styleOf(limit).overflowX) || scrolls(styleOf(limit).overflowY));
    if ((width(shown) <= 0 || height(shown) <= 0) && isScrolledAway) continue;
    const isFixed = ancestors(control).some((at) => styleOf(at).position === 'fixed');
    if (!isScrolledAway) {
      const { clientWidth, clientHeight } = document.documentElement;
      const below = isFixed ? box.bottom - clientHeight : 0;
      const above = isFixed ? -box.top : -(box.top + scrollY);
      if (Math.max(-box.left, box.right - clientWidth, below, above) > 1 && !comesIntoView(control))
        report('control outside', name(control));
    }
    const inText = styleOf(control).display === 'inline' && control.parentElement?.textContent?.trim() !== control.textContent?.trim();
    if (!inText && Math.min(width(box), height(box)) < MIN_TARGET - 0.5)
      report('small control', `${name(control)} ${Math.round(width(box))} × ${Math.round(height(box))}`);

    const visible = common(shown, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    if (width(visible) < 4 || height(visible) < 4) continue;
    const [x, y] = [(visible.left + visible.right) / 2, (visible.top + visible.bottom) / 2];
    const top = document.elementFromPoint(x, y);
    if (!top || parts.some((part) => part.contains(top) || top.contains(part))) continue;
    if (top.closest('label') && top.closest('label') === control.closest('label')) continue;
    // Bars lie on what scrolls below them, and what dialogs and menus cover isn't in use.
    const layer = ancestors(top).find((at) => /fixed|sticky/.test(styleOf(at).position));
    if (layer && !layer.contains(control) && (!isFixed || styleOf(layer).position === 'sticky')) continue;
    const above = top.closest(POPUP);
    if (above && !above.contains(control)) continue;
    if (layer && innerHeight < LOW_WINDOW) continue;
    if (isOpaque(top) || top.closest(CONTROL)) report('covered control', `${name(control)} by ${name(top)}`);
  }
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);

  // Boxes to tick: their edges stand out from what is around them, 3 : 1 (WCAG 1.4.11).
  const paint = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  /** The luminance of colours that lie on each other. */
  const luminance = (...colours: string[]) => {
    if (!paint) return 0;
    for (const colour of ['white', ...colours]) {
      paint.fillStyle = colour;
      paint.fillRect(0, 0, 1, 1);
    }
    const [r = 0, g = 0, b = 0] = [...paint.getImageData(0, 0, 1, 1).data].map((part) =>
      part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const box of document.querySelectorAll<HTMLInputElement>('input:is([type=checkbox], [type=radio]):not(:checked, :disabled)')) {
    const { appearance, borderTopColor, borderTopWidth } = styleOf(box);
    if (appearance !== 'none' || !isVisible(box) || isHiddenFromSight(box) || !box.clientWidth || box.indeterminate) continue;
    const around = ancestors(box)
      .slice(1)
      .reverse()
      .map((element) => styleOf(element).backgroundColor);
    const [edge, ground] = [luminance(...around, borderTopColor), luminance(...around)];
    const contrast = (Math.max(edge, ground) + 0.05) / (Math.min(edge, ground) + 0.05);
    if (Number.parseFloat(borderTopWidth) === 0 || contrast < 3) report('faint control', `${name(box)} ${contrast.toFixed(1)} : 1`);
  }

  // Pictures. Transforms don't count: they are the viewer's zoom.
  for (const picture of document.querySelectorAll('img')) {
    const { naturalWidth, naturalHeight, clientWidth, clientHeight, currentSrc } = picture;
    if (!picture.complete || !naturalWidth || !clientWidth || !clientHeight || !isVisible(picture)) continue;
    const style = styleOf(picture);
    const room = {
      width: clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight),
      height: clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom),
    };
    const [x, y] = [room.width / naturalWidth, room.height / naturalHeight];
    if (style.objectFit === 'fill' && Math.abs(x / y - 1) > 0.02 && Math.abs(naturalWidth * y - room.width) > SLACK)
      report('stretched picture', `${name(picture)} ${naturalWidth} × ${naturalHeight} as ${room.width} × ${room.height}`);
    const scale =
      { contain: Math.min(x, y), cover: Math.max(x, y), fill: Math.max(x, y), 'scale-down': Math.min(1, x, y), none: 1 }[style.objectFit] ??
      1;
    const isDrawing = /\.svg(\?|$)|^data:image\/svg/.test(currentSrc);
    const isBlurred = /blur/.test(style.filter);
    if (!isDrawing && !isBlurred && scale > MAX_SCALE && (scale - 1) * Math.max(naturalWidth, naturalHeight) > SLACK)
      report(
        'enlarged picture',
        `${name(picture)} ${naturalWidth} × ${naturalHeight} as ${Math.round(naturalWidth * scale)} × ${Math.round(naturalHeight * scale)}`,
      );
  }

  // Headings: a dialog has its own.
  const dialogs = [...document.querySelectorAll(DIALOG)];
  const headings = new Map<string, Map<string, string>>();
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6, [role=heading]')) {
    if (!isVisible(heading) || isHiddenFromSight(heading)) continue;
    const { fontSize, fontWeight, fontFamily } = styleOf(heading);
    const level = heading.getAttribute('aria-level') ?? heading.localName.slice(1);
    const region = `${level} ${dialogs.indexOf(heading.closest(DIALOG) as Element)}`;
    const known = headings.get(region) ?? new Map<string, string>();
    known.set(`${fontSize} ${fontWeight} ${fontFamily}`, `${name(heading)} ${fontSize}/${fontWeight}`);
    headings.set(region, known);
  }
  for (const [region, known] of headings)
    if (known.size > 1) report('heading styles', `level ${region.split(' ')[0]}: ${[...known.values()].join(', ')}`);

  // Classes and scrolling.
  for (const element of document.querySelectorAll('.undefined, .null, .false, .NaN, .\\[object')) report('unknown class', name(element));
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) report('horizontal scrolling', `${scrollWidth - clientWidth} px wider than the screen`);
  for (const element of document.body.querySelectorAll('*')) {
    if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth <= 1) continue;
    const { overflowX, maskImage } = styleOf(element);
    // Code keeps its lines, and a strip whose end fades out shows that it continues.
    const isMeant = maskImage !== 'none' || element.matches('pre, code, textarea') || element.querySelector('pre, code');
    if (scrolls(overflowX) && !isMeant && isVisible(element)) report('horizontal scrolling', name(element));
  }
  return [...faults];
}
