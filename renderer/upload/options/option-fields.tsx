import { Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { MAX_TAG_LENGTH } from '#api/constants.ts';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { AccessPasswordField, ViewLimitField, VisibilityField } from '#renderer/components/forms/sharing-fields.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { EXPIRIES, useExpiryText } from '#renderer/images/expiries.ts';
import { tagsQuery } from '#renderer/images/list/list.ts';
import { profileQuery } from '#renderer/service/account.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { NEW_ALBUM, type Options } from './options.ts';

interface Props {
  options: Options;
  onChange: (change: Partial<Options>) => void;
  /** Whether the album is chosen elsewhere. */
  withoutAlbum?: boolean;
}

/** The options of a batch: album, visibility, expiry, view limit, password and tags. */
export function OptionFields({ options, onChange, withoutAlbum }: Props) {
  const { t } = useTranslation();
  const { data: limits } = useQuery(limitsQuery);
  const { data: known } = useQuery(tagsQuery);
  return (
    <>
      {!withoutAlbum && <Album options={options} onChange={onChange} />}
      <VisibilityField label={t('details.visibility')} value={options.visibility} onChange={(visibility) => onChange({ visibility })} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="md">
        <Expiry options={options} onChange={onChange} />
        <ViewLimitField
          placeholder={limits?.default_max_views ? String(limits.default_max_views) : t('library.unlimited')}
          min={1}
          value={options.maxViews}
          onChange={(maxViews) => onChange({ maxViews })}
        />
        <AccessPasswordField
          placeholder={t('batch.noPassword')}
          value={options.password}
          onChange={(event) => onChange({ password: event.currentTarget.value })}
        />
        <TagsInput
          label={t('library.tags')}
          placeholder={options.tags.length ? undefined : t('library.tagsHint')}
          value={options.tags}
          onChange={(tags) => onChange({ tags })}
          data={known ?? []}
          splitChars={[',', '，']}
          maxTags={20}
          maxLength={MAX_TAG_LENGTH}
          acceptValueOnBlur
        />
      </SimpleGrid>
    </>
  );
}

function Album({ options, onChange }: Props) {
  const { t } = useTranslation();
  const { data: albums } = useQuery(albumsQuery);
  const { data: profile } = useQuery(profileQuery);
  // An upload without an album goes into the account's default one.
  const none = profile?.preferences.album_id ? [] : [{ value: '', label: t('library.noAlbum') }];
  const own = albums?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <>
      <Select
        label={t('library.album')}
        allowDeselect={false}
        searchable
        value={options.album}
        onChange={(album) => album !== null && onChange({ album })}
        data={[...none, { value: NEW_ALBUM, label: t('batch.newAlbum') }, ...own]}
      />
      {options.album === NEW_ALBUM && (
        <TextInput
          label={t('albums.name')}
          maxLength={200}
          value={options.newAlbum}
          onChange={(event) => onChange({ newAlbum: event.currentTarget.value })}
        />
      )}
    </>
  );
}

function Expiry({ options, onChange }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: limits } = useQuery(limitsQuery);
  const max = limits?.max_expires_in || Number.POSITIVE_INFINITY;
  const usual = limits?.default_expires_in || limits?.max_expires_in || 0;
  const after = (seconds: number) => format.period(seconds);
  const textFor = useExpiryText();
  const expires = options.expiresIn === '' ? usual > 0 : options.expiresIn !== '0';
  const never = usual && !limits?.max_expires_in ? [{ value: '0', label: t('library.never') }] : [];
  return (
    <Select
      label={t('details.expires')}
      description={expires ? textFor() : undefined}
      inputWrapperOrder={['label', 'input', 'description']}
      allowDeselect={false}
      value={options.expiresIn}
      onChange={(expiresIn) => expiresIn !== null && onChange({ expiresIn })}
      data={[
        { value: '', label: usual ? t('batch.usualExpiry', { time: after(usual) }) : t('library.never') },
        ...never,
        ...EXPIRIES.filter(({ seconds }) => seconds <= max).map(({ seconds }) => ({
          value: String(seconds),
          label: t('batch.expiresAfter', { time: after(seconds) }),
        })),
      ]}
    />
  );
}
