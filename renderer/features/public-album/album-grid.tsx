import { VisuallyHidden } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenPublicAlbum, PublicAlbumImage } from '#api/albums.ts';
import { type Layout, layOut, rowOf } from '#renderer/images/layout.ts';
import { Thumbnail } from '#renderer/images/thumbnail.tsx';
import classes from './album.module.css';
import { useGridKeys } from './use-grid-keys.ts';

interface Props {
  album: OpenPublicAlbum;
  pages: readonly (readonly PublicAlbumImage[])[];
  /** The picture that the viewer showed last: the keyboard goes on from there. */
  returnTo: string | undefined;
  onOpen: (key: string) => void;
  /** Called, possibly often, while the end of what is loaded is near. */
  onNearEnd: () => void;
}

/** Rows to the end of what is loaded at which more is asked for. */
const NEAR_END = 10;

/** An album's pictures in justified rows. Only what is near the screen exists as elements. */
export function AlbumGrid({ album, pages, returnTo, onOpen, onNearEnd }: Props) {
  const { t } = useTranslation();
  const hint = useId();
  const { ref: measure, width } = useElementSize();
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const { rows, images, options } = useRows(pages, width);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.height ?? 0) + options.gap,
    overscan: 4,
    scrollMargin: top,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights come from the layout, which the virtualiser cannot see change
  useLayoutEffect(() => virtual.measure(), [rows]);
  const visible = virtual.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastVisible >= rows.length - NEAR_END) onNearEnd();
  }, [lastVisible, rows.length, onNearEnd]);
  const keys = useGridKeys({
    rows,
    images,
    gap: options.gap,
    returnTo,
    scrollTo: (image) => virtual.scrollToIndex(rowOf(rows, image), { align: 'auto' }),
  });
  const onScreen = visible.some(({ index }) => index === rowOf(rows, keys.cursor));
  const reachable = onScreen ? keys.cursor : (rows[visible[0]?.index ?? 0]?.first ?? 0);
  return (
    <div ref={measure}>
      <VisuallyHidden id={hint}>{t('publicAlbum.keys')}</VisuallyHidden>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={list}
        role="group"
        aria-label={t('publicAlbum.pictures', { album: album.name })}
        aria-describedby={hint}
        className={classes.grid}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={keys.onKeyDown}
      >
        {width > 0 &&
          visible.map(({ index, key, start }) => {
            const row = rows[index];
            if (row?.kind !== 'pictures') return null;
            const style = { gap: options.gap, height: row.height, transform: `translateY(${start - top}px)` };
            return (
              <div key={key} className={classes.row} style={style}>
                {row.widths.map((width, column) => {
                  const at = row.first + column;
                  const image = images[at];
                  return (
                    image && (
                      <Tile
                        key={image.key}
                        image={image}
                        width={width}
                        height={row.height}
                        reachable={at === reachable}
                        focus={keys.focus?.index === at ? keys.focus : undefined}
                        onOpen={onOpen}
                        onFocus={() => keys.onFocus(at)}
                      />
                    )
                  );
                })}
              </div>
            );
          })}
      </div>
    </div>
  );
}

/** The album's rows for the width there is. More pages only add rows. */
function useRows(pages: Props['pages'], width: number): Layout<PublicAlbumImage> {
  const phone = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false });
  const options = useMemo(
    () => ({ width, gap: phone ? 3 : 8, target: phone ? 150 : width > 2200 ? 360 : 260, dayOf: () => '' }),
    [width, phone],
  );
  const before = useRef<Layout<PublicAlbumImage>>(undefined);
  return useMemo(() => {
    before.current = layOut(pages, options, before.current);
    return before.current;
  }, [pages, options]);
}

interface TileProps {
  image: PublicAlbumImage;
  width: number;
  height: number;
  /** Whether Tab stops here; the arrow keys reach the others. */
  reachable: boolean;
  /** A new object moves the focus here. */
  focus: object | undefined;
  onOpen: (key: string) => void;
  onFocus: () => void;
}

function Tile({ image, width, height, reachable, focus, onOpen, onFocus }: TileProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focus) button.current?.focus({ preventScroll: true });
  }, [focus]);
  return (
    <button
      ref={button}
      type="button"
      className={classes.tile}
      style={{ width, height }}
      data-picture={image.key}
      tabIndex={reachable ? 0 : -1}
      aria-label={t('publicAlbum.open', { name: image.name })}
      onClick={() => onOpen(image.key)}
      onFocus={onFocus}
    >
      <Thumbnail image={image} width={width} height={height} className={classes.image} />
    </button>
  );
}
