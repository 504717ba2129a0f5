import type { Locator, Page } from 'playwright/test';
import sharp, { type OverlayOptions } from 'sharp';

type Place = readonly [x: number, y: number];
interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

const SIZE = { width: 1120, height: 720 };
const WINDOW = { width: 980, height: 590 };
/** The window's place on the screen, with a bar above it. */
const AT = { left: (SIZE.width - WINDOW.width) / 2, top: 56 };
const BAR = 34;
const CAPTION = { height: 58 };
const FONT = 'font-family="DejaVu Sans, Helvetica, Arial, sans-serif"';

const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}">${content}</svg>`);
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const pointer = ([x, y]: Place) =>
  `<path transform="translate(${x} ${y})" d="M0 0v21l5-5 4 9 4-2-4-8h7z" fill="#111" stroke="white" stroke-width="1.6"/>`;

/** A moving picture of a screen, put together from pictures of windows. */
export class Film {
  static readonly WINDOW = WINDOW;
  readonly #screen: Buffer;
  readonly #scale: number;
  readonly #frames: Buffer[] = [];
  readonly #delays: number[] = [];
  #pointer: Place = [40, 40];

  private constructor(screen: Buffer, scale: number) {
    this.#screen = screen;
    this.#scale = scale;
  }

  /** @param screen what the screen shows at first */
  static async on(screen: Buffer): Promise<Film> {
    const { width } = await sharp(screen).metadata();
    const shown = await sharp(screen)
      .resize(SIZE.width)
      .resize(SIZE.width, SIZE.height - CAPTION.height, { position: 'top', fit: 'cover' })
      .extend({ bottom: CAPTION.height, background: '#10181c' })
      .png()
      .toBuffer();
    return new Film(shown, SIZE.width / width);
  }

  /** Shows how an area, in pixels of the screen's picture, is selected. */
  async select({ left, top, width, height }: Area): Promise<void> {
    const caption = 'Press your key, and select a part of the screen';
    await this.#add([], caption, 900);
    for (const share of [0.02, 0.2, 0.45, 0.7, 0.9, 1]) {
      const [x, y, w, h] = [left, top, width * share, height * share].map((value) => Math.round(value * this.#scale)) as [
        number,
        number,
        number,
        number,
      ];
      const around = `<path fill-rule="evenodd" d="M0 0H${SIZE.width}V${SIZE.height - CAPTION.height}H0zM${x} ${y}h${w}v${h}h-${w}z" fill="#0a1417" opacity="0.55"/>`;
      const frame = `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="none" stroke="#35b7c8" stroke-width="3"/>`;
      this.#pointer = [x + w, y + h];
      await this.#add([{ input: svg(around + frame) }], caption, share === 1 ? 700 : 110);
    }
  }

  /** Shows a window of the app. */
  async window(page: Page, caption: string, milliseconds: number): Promise<void> {
    await this.#show(await page.screenshot(), 'Pixdock', caption, milliseconds);
  }

  /** Shows a browser with the address in its bar. */
  async browser(page: Page, address: string, caption: string): Promise<void> {
    await this.#show(await page.screenshot(), address, caption, 2600);
  }

  /** Moves the pointer to a control, and clicks it. */
  async click(page: Page, control: Locator, caption: string): Promise<void> {
    const box = await control.boundingBox();
    if (!box) throw new Error('The control isn’t shown.');
    await this.#moveTo(page, [box.x + box.width / 2, box.y + box.height / 2], caption);
    await control.click();
    if (await control.isVisible()) await this.window(page, caption, 350);
  }

  async drag(page: Page, from: Place, to: Place, caption: string): Promise<void> {
    await this.#moveTo(page, from, caption);
    await page.mouse.down();
    for (const share of [0.25, 0.5, 0.75, 1]) {
      const place = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share] as const;
      await this.#pointAt(page, place);
      await this.window(page, caption, 110);
    }
    await page.mouse.up();
    await this.window(page, caption, 600);
  }

  /** Shows what the system shows of a notification. */
  async notify({ title, body }: { title: string; body: string }, caption: string): Promise<void> {
    const [left, width] = [SIZE.width - 500, 470];
    const card = `<rect x="${left}" y="30" width="${width}" height="112" rx="14" fill="#fbfcfc" stroke="#c9d4d6"/><rect x="${left + 22}" y="56" width="54" height="54" rx="12" fill="#155e6b"/>
      <path d="M${left + 36} 98l10-14 8 9 6-7 10 12z" fill="white"/><circle cx="${left + 58}" cy="72" r="5" fill="white"/>
      ${[title, ...body.split('\n')].map((line, index) => `<text x="${left + 96}" y="${66 + index * 28}" ${FONT} font-size="${index === 0 ? 19 : 16}" font-weight="${index === 0 ? 700 : 400}" fill="#10181c">${escaped(line)}</text>`).join('')}`;
    await this.#add([{ input: svg(card) }], caption, 2200);
  }

  /** The film as an animated WebP, which repeats. */
  develop(): Promise<Buffer> {
    return sharp(this.#frames, { join: { animated: true } })
      .webp({ quality: 80, effort: 6, loop: 0, delay: this.#delays, minSize: true, mixed: true })
      .toBuffer();
  }

  async #moveTo(page: Page, to: Place, caption: string): Promise<void> {
    const from = this.#pointer;
    for (const share of [0.5, 1]) {
      const onPage = [from[0] - AT.left, from[1] - AT.top] as const;
      await this.#pointAt(page, [onPage[0] + (to[0] - onPage[0]) * share, onPage[1] + (to[1] - onPage[1]) * share]);
      await this.window(page, caption, 110);
    }
  }

  async #pointAt(page: Page, [x, y]: Place): Promise<void> {
    await page.mouse.move(x, y);
    this.#pointer = [x + AT.left, y + AT.top];
  }

  async #show(screenshot: Buffer, title: string, caption: string, milliseconds: number): Promise<void> {
    const { left, top } = AT;
    const frame = `<rect width="100%" height="${SIZE.height - CAPTION.height}" fill="#0a1417" opacity="0.45"/><rect x="${left - 1}" y="${top - BAR}" width="${WINDOW.width + 2}" height="${WINDOW.height + BAR + 1}" rx="10" fill="#dfe6e7"/>
      ${['#ff5f57', '#febc2e', '#28c840'].map((colour, index) => `<circle cx="${left + 20 + index * 22}" cy="${top - BAR / 2}" r="7" fill="${colour}"/>`).join('')}
      <text x="${SIZE.width / 2}" y="${top - 11}" ${FONT} font-size="16" fill="#10181c" text-anchor="middle">${escaped(title)}</text>`;
    await this.#add([{ input: svg(frame) }, { input: screenshot, left, top }], caption, milliseconds);
  }

  async #add(layers: OverlayOptions[], caption: string, milliseconds: number): Promise<void> {
    const words = `<text x="${SIZE.width / 2}" y="${SIZE.height - 21}" ${FONT} font-size="23" fill="white" text-anchor="middle">${escaped(caption)}</text>`;
    const placed = layers.map((layer) => ({ left: 0, top: 0, ...layer }));
    this.#frames.push(
      await sharp(this.#screen)
        .composite([...placed, { input: svg(pointer(this.#pointer) + words), left: 0, top: 0 }])
        .png()
        .toBuffer(),
    );
    this.#delays.push(milliseconds);
  }
}
