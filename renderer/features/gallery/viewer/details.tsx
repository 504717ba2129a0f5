import { Button, TextInput } from '@mantine/core';
import { IconCheck, IconPhotoVideo, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { Image } from '#api/images/images.ts';
import { toSlug } from '#api/images/slug-rules.ts';
import { DayBars } from '#renderer/components/day-bars.tsx';
import { LinkList } from '#renderer/components/links/link-list.tsx';
import { LinkTools } from '#renderer/components/links/link-tools.tsx';
import { WhoCanOpen } from '#renderer/components/links/who-can-open.tsx';
import { ownEscape, useOwnEscape } from '#renderer/components/own-escape.ts';
import { clockTime } from '#renderer/i18n/clock.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { linksByFormat } from '#renderer/images/sharing/links.ts';
import { useSlugCheck } from '#renderer/images/use-slug-check.ts';
import { client } from '#renderer/service/client.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { Descriptions } from './descriptions.tsx';
import { Sharing } from './sharing.tsx';
import { Sorting } from './sorting.tsx';
import { TextPart } from './text-part.tsx';
import { type Change, useChange } from './use-change.ts';
import { useSetPoster } from './use-set-poster.ts';
import classes from './viewer.module.css';

/** The panel with an image's links, sharing options and details. */
export function Details({ image }: { image: Image }) {
  const { t } = useTranslation();
  const { change, saved } = useSavedSign(useChange(image));
  const { attempt, around } = useOwnEscape();
  return (
    <aside className={classes.details} aria-label={t('viewer.details')} {...around}>
      <div className={classes.parts}>
        <Facts image={image} />
        {image.kind === 'video' && !image.has_poster && <NoThumbnail image={image} />}
        <h3>{t('links.title')}</h3>
        <Links image={image} change={change}>
          <CustomAddress key={`address ${image.key} ${attempt}`} image={image} change={change} />
        </Links>
        <h3>{t('library.sharing')}</h3>
        <Sharing key={`sharing ${image.key} ${attempt}`} image={image} change={change} />
        <h3>{t('picture.description')}</h3>
        <Descriptions key={`descriptions ${image.key} ${attempt}`} image={image} change={change} />
        <TextPart image={image} />
        <h3>{t('viewer.details')}</h3>
        <Sorting key={`${image.key} ${attempt}`} image={image} change={change} />
        <Views image={image} />
      </div>
      <p className={classes.saved} role="status" data-shown={saved || undefined}>
        {saved && (
          <>
            <IconCheck size={16} aria-hidden />
            {t('profile.saved')}
          </>
        )}
      </p>
    </aside>
  );
}

/** Without a thumbnail, a tile shows only that there is a video. */
function NoThumbnail({ image }: { image: Image }) {
  const { t } = useTranslation();
  const setPoster = useSetPoster(image);
  return (
    <div className={classes.hint} role="note">
      <IconPhotoVideo size={18} aria-hidden />
      <div className={classes.hintBody}>
        <p>{t('viewer.noThumbnail')}</p>
        <Button size="compact-sm" variant="light" onClick={setPoster}>
          {t('viewer.makeThumbnail')}
        </Button>
      </div>
    </div>
  );
}

function Links({ image, change, children }: { image: Image; change: Change; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      {image.visibility === 'private' && (
        <div className={classes.hint} role="note">
          <IconUser size={18} aria-hidden />
          <div className={classes.hintBody}>
            <p>{t('library.privateLinks')}</p>
            <Button size="compact-sm" variant="light" onClick={() => change({ visibility: 'public' })}>
              {t('library.openLinks')}
            </Button>
          </div>
        </div>
      )}
      {image.visibility === 'public' && <WhoCanOpen text={image.max_views > 0 ? image.links.share_url : image.links.url} />}
      {image.visibility === 'public' && image.max_views > 0 && (
        <p className={classes.hint} role="note">
          {t(image.views_left === 0 ? 'library.usedUpLinks' : 'library.limitedLinks')}
        </p>
      )}
      <div className={classes.links}>
        <LinkList
          links={[...linksByFormat(image, t, image.max_views > 0), { name: t('library.sharePage'), text: image.links.share_url }]}
        />
        <LinkTools key={image.key} url={image.links.share_url} title={image.title || image.name} />
        {children}
      </div>
    </>
  );
}

function Facts({ image }: { image: Image }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: [string, string | undefined][] = [
    [t('details.size'), `${format.bytes(image.size)} · ${image.ext.toUpperCase()}`],
    [t('details.duration'), image.duration === null ? undefined : clockTime(image.duration)],
    [t('details.dimensions'), `${image.width} × ${image.height}`],
    [t('details.taken'), format.moment(image.taken_at)],
    [t('details.uploaded'), format.moment(image.created_at)],
    [t('requests.sentBy'), image.sent_by === undefined ? undefined : image.sent_by || t('requests.someone')],
    [
      t('details.views'),
      image.views_left === null
        ? format.number(image.views)
        : t('details.viewsOf', { views: format.number(image.max_views - image.views_left), max: format.number(image.max_views) }),
    ],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

const SAVED_SIGN_MS = 2500;

/** Returns a function that changes the image as `change` does, and whether to show that the last change has been saved. */
function useSavedSign(change: Change): { change: Change; saved: boolean } {
  const [savedAt, setSavedAt] = useState<number>();
  useEffect(() => {
    if (savedAt === undefined) return;
    const timer = setTimeout(() => setSavedAt(undefined), SAVED_SIGN_MS);
    return () => clearTimeout(timer);
  }, [savedAt]);
  return {
    change: (fields, onDone) =>
      change(fields, (image) => {
        setSavedAt(performance.now());
        onDone?.(image);
      }),
    saved: savedAt !== undefined,
  };
}

const CHART_DAYS = 30;

/** A chart of an image's views per day; nothing while it has none. */
function Views({ image }: { image: Image }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['images', 'views', image.key],
    queryFn: ({ signal }) => client.call('GET /images/:key/views', { params: { key: image.key }, query: { days: CHART_DAYS }, signal }),
    enabled: image.views > 0,
  });
  if (!data?.total) return null;
  const main = data.sources.find(({ host }) => host !== null)?.host;
  // A limit counts only views since it was set.
  const counted = image.max_views - (image.views_left ?? 0);
  return (
    <figure className={classes.views}>
      <DayBars days={data.days} label={t('library.viewsChart', { count: data.total })} />
      <figcaption>
        {joinSentences(
          [t('library.viewsChart', { count: data.total }), main && t('views.mostlyFrom', { host: main })].filter(Boolean).join(' · '),
          image.max_views > 0 && data.total > counted ? t('library.viewsBefore') : '',
        )}
      </figcaption>
    </figure>
  );
}

/** The address that an image's owner has chosen, checked while it is typed, and saved on Enter and when the field loses focus. */
function CustomAddress({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const [typed, setTyped] = useState(image.slug ?? '');
  const slug = toSlug(typed);
  const unchanged = slug === (image.slug ?? '');
  const { problem, isFree } = useSlugCheck(slug, { key: image.key, enabled: !unchanged });
  if (!config?.custom_addresses_enabled && image.slug === null) return null;
  const save = () => {
    // A word still being checked is refused by the service if it is taken.
    if (!unchanged && !problem) change({ slug: slug === '' ? null : slug });
  };
  return (
    <TextInput
      {...ownEscape}
      label={t('picture.address')}
      description={t('picture.addressHint')}
      placeholder="release-notes"
      size="sm"
      spellCheck={false}
      autoCapitalize="none"
      value={typed}
      maxLength={63}
      error={problem && t(`picture.addressProblem.${problem}`)}
      rightSectionPointerEvents="none"
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      {...(isFree && { description: t('picture.addressFree') })}
    />
  );
}
