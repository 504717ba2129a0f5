import { Button, Checkbox } from '@mantine/core';
import { IconCheck, IconLock, IconTrash, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import type { DuplicateGroup } from '#api/images/duplicates.ts';
import type { Image } from '#api/images/images.ts';
import { albumsQuery, sharedAlbumsQuery } from '#renderer/albums/albums.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { thumbnailSrc } from '#renderer/images/address.ts';
import classes from './duplicates.module.css';
import { albumsOf, bestOf, coversOf, placesFor } from './uses.ts';

/** The toggles of all groups, in the order of the page. */
const togglesIn = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>('[data-toggle]')];
const groupOf = (element: Element) => element.closest('section');

/** Moves the focus along a group, or to the same place of the next or previous one. */
function moveFocus(from: HTMLElement, key: string): boolean {
  const group = groupOf(from);
  if (!group) return false;
  const own = togglesIn(group);
  const at = own.indexOf(from);
  const beside = { ArrowRight: own[at + 1], ArrowLeft: own[at - 1] }[key];
  const other = { ArrowDown: group.nextElementSibling, ArrowUp: group.previousElementSibling }[key];
  const target =
    beside ?? (other instanceof HTMLElement && other.matches('section') ? (togglesIn(other)[at] ?? togglesIn(other).at(-1)) : undefined);
  target?.focus();
  return key.startsWith('Arrow');
}

/** Focuses the first picture of the group that takes the place of this one. */
function leave(element: Element) {
  const group = groupOf(element);
  const next = [group?.nextElementSibling, group?.previousElementSibling].find((one) => one?.matches('section'));
  if (next) togglesIn(next)[0]?.focus();
}

interface Props {
  group: DuplicateGroup;
  onKeep: (decision: { kept: readonly Image[]; albums: readonly Album[]; takePlaces: boolean }) => void;
  onDifferent: () => void;
}

/** A group of alike images, of which at least one is kept. */
export function Group({ group: { kind, images }, onKeep, onDifferent }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const albums = useKnownAlbums();
  const [chosen, setKept] = useState<ReadonlySet<string>>();
  const [takePlaces, setTakePlaces] = useState(true);
  const best = new Set([bestOf(images, albums)?.key ?? '']);
  // Whether pictures that look alike are the same is a question: a glance may miss the number that differs.
  const kept = chosen ?? (kind === 'exact' ? best : new Set(images.map(({ key }) => key)));
  const staying = images.filter(({ key }) => kept.has(key));
  const heir = bestOf(staying, albums);
  const places = placesFor(
    heir,
    images.filter(({ key }) => !kept.has(key)),
    albums,
  );
  const title = t(`duplicates.${kind}`, { count: images.length });
  const dropped = images.length - kept.size;
  const decidable = kept.size > 0 && dropped > 0;
  const toggle = (key: string) => setKept(new Set(kept.has(key) ? [...kept].filter((other) => other !== key) : [...kept, key]));
  const decide = (element: Element, act: () => void) => {
    leave(element);
    act();
  };
  const keep = () => onKeep({ kept: staying, albums, takePlaces });
  const different = kind === 'alike' ? 'duplicates.different' : images.length === 2 ? 'duplicates.keepBoth' : 'duplicates.keepAll';
  const onKeyDown = (event: KeyboardEvent) => {
    const element = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || !element.matches('[data-toggle]')) return;
    const handled = moveFocus(element, event.key);
    if (handled || event.key === 'Enter') event.preventDefault();
    if (event.key === 'Enter' && decidable) decide(element, keep);
    if (event.key.toLowerCase() === 'd') decide(element, onDifferent);
  };
  return (
    <section className={classes.group} aria-label={title} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <h2>{title}</h2>
        <div className={classes.actions}>
          <Button size="xs" variant="default" onClick={(event) => decide(event.currentTarget, onDifferent)}>
            {t(different)}
          </Button>
          {dropped === 0 && (
            <Button size="xs" variant="default" onClick={() => setKept(best)}>
              {t('duplicates.markOthers')}
            </Button>
          )}
          <Button
            size="xs"
            leftSection={<IconTrash size={16} stroke={1.7} />}
            disabled={!decidable}
            onClick={(event) => decide(event.currentTarget, keep)}
          >
            {t('duplicates.delete', { count: dropped })}
          </Button>
        </div>
      </div>
      <ul className={classes.images}>
        {images.map((image) => (
          <Candidate key={image.key} image={image} isKept={kept.has(image.key)} onToggle={() => toggle(image.key)} albums={albums} />
        ))}
      </ul>
      {places.length > 0 && decidable && (
        <Checkbox
          mt="md"
          checked={takePlaces}
          onChange={(event) => setTakePlaces(event.currentTarget.checked)}
          label={t(staying.length > 1 ? 'duplicates.namedTakesPlace' : 'duplicates.takesPlace', {
            count: dropped,
            name: heir?.name ?? '',
            albums: format.list(places.map(({ name }) => name)),
          })}
        />
      )}
    </section>
  );
}

/** The user's own albums, then those that others share with them. */
function useKnownAlbums(): Album[] {
  const { data: own = [] } = useQuery(albumsQuery);
  const { data: shared = [] } = useQuery(sharedAlbumsQuery);
  return [...own, ...shared];
}

interface CandidateProps {
  image: Image;
  isKept: boolean;
  onToggle: () => void;
  albums: readonly Album[];
}

function Candidate({ image, isKept, onToggle, albums }: CandidateProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const uses = useUses(image, albums);
  const { name, width, height, size, ext } = image;
  return (
    <li className={classes.candidate}>
      <button
        type="button"
        className={classes.toggle}
        data-toggle
        aria-pressed={isKept}
        aria-label={t('duplicates.keep', { name })}
        onClick={onToggle}
      >
        <img src={thumbnailSrc(image, 400)} alt="" loading="lazy" decoding="async" draggable={false} />
        <span className={classes.mark}>
          {isKept ? <IconCheck size={15} aria-hidden /> : <IconTrash size={15} aria-hidden />}
          {t(isKept ? 'duplicates.kept' : 'duplicates.dropped')}
        </span>
      </button>
      <Link
        to="/"
        search={{ picture: image.key }}
        className={classes.name}
        title={name}
        dir="auto"
        aria-label={t('duplicates.openOne', { name })}
      >
        {name}
      </Link>
      <span className={classes.facts}>
        {`${width} × ${height} · ${format.bytes(size)} · ${ext.toUpperCase()}`}
        <br />
        {format.date(image.taken_at)}
      </span>
      {uses.length > 0 && (
        <ul className={classes.uses}>
          {uses.map((use) => (
            <li key={use}>{use}</li>
          ))}
        </ul>
      )}
      {(image.visibility === 'private' || image.has_password) && (
        <span className={classes.locked}>
          {image.visibility === 'private' ? <IconUser size={14} aria-hidden /> : <IconLock size={14} aria-hidden />}
          {t(image.visibility === 'private' ? 'opens.private' : 'duplicates.password')}
        </span>
      )}
    </li>
  );
}

/** What the user would lose with an image. */
function useUses(image: Image, albums: readonly Album[]): string[] {
  const { t } = useTranslation();
  const format = useFormat();
  const names = (some: readonly Pick<Album, 'name'>[]) => format.list(some.map(({ name }) => name));
  const [inAlbums, covers] = [albumsOf(image, albums), coversOf(image, albums)];
  const { title, caption, favourite, tags, slug, views, expires_at } = image;
  return [
    inAlbums.length > 0 && t('duplicates.inAlbums', { albums: names(inAlbums) }),
    covers.length > 0 && t('duplicates.coverOf', { albums: names(covers) }),
    title && `“${title}”`,
    caption && t('duplicates.caption'),
    favourite && t('duplicates.favourite'),
    tags.length > 0 && format.list(tags),
    slug && `/${slug}`,
    views > 0 && t('duplicates.views', { count: views, formatted: format.number(views) }),
    expires_at && t('duplicates.expires', { date: format.moment(expires_at) }),
  ].filter((use) => typeof use === 'string' && use !== '') as string[];
}
