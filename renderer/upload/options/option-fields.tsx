import { MultiSelect, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MAX_ALBUMS_AT_ONCE, MAX_TAG_LENGTH } from '#api/constants.ts';
import { useAddableAlbums } from '#renderer/albums/albums.ts';
import { EXPIRIES } from '#renderer/components/forms/expiries.ts';
import { ExpiryField } from '#renderer/components/forms/expiry-field.tsx';
import { FormatSelect } from '#renderer/components/forms/format-select.tsx';
import { AccessPasswordField, ViewLimitField, VisibilityField } from '#renderer/components/forms/sharing-fields.tsx';
import { useExpiryText, useMaxExpiry } from '#renderer/components/forms/use-expiry.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { tagsQuery } from '#renderer/images/list/list.ts';
import { profileQuery } from '#renderer/service/account.ts';
import { configQuery, limitsQuery } from '#renderer/service/queries.ts';
import { AddressFields, type AddressProblem } from './address-fields.tsx';
import { NEW_ALBUM, type Options } from './options.ts';

interface FieldProps {
  options: Options;
  onChange: (change: Partial<Options>) => void;
}

interface Props extends FieldProps {
  /** The number of pictures. */
  count: number;
  addressProblem: AddressProblem | undefined;
  /** Whether albums are chosen elsewhere. */
  withoutAlbum?: boolean;
}

/** The options of a batch: albums, visibility, expiry, view limit, password, tags, format and address. */
export function OptionFields({ options, onChange, count, addressProblem, withoutAlbum }: Props) {
  const { t } = useTranslation();
  const { data: limits } = useQuery(limitsQuery);
  const { data: known } = useQuery(tagsQuery);
  const { data: config } = useQuery(configQuery);
  return (
    <>
      {!withoutAlbum && <Albums options={options} onChange={onChange} />}
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
          placeholder={options.tags.length ? undefined : t('batch.tagsHint')}
          value={options.tags}
          onChange={(tags) => onChange({ tags })}
          data={known ?? []}
          splitChars={[',', '，']}
          maxTags={20}
          maxLength={MAX_TAG_LENGTH}
          acceptValueOnBlur
        />
        {limits?.allow_convert && (
          <FormatSelect label={t('batch.format')} value={options.convert} onChange={(convert) => onChange({ convert })} />
        )}
        {config?.custom_addresses_enabled && <AddressFields options={options} onChange={onChange} count={count} problem={addressProblem} />}
      </SimpleGrid>
    </>
  );
}

function Albums({ options, onChange }: FieldProps) {
  const { t } = useTranslation();
  const albums = useAddableAlbums();
  const { data: profile } = useQuery(profileQuery);
  // An upload without an album goes into the account's default one.
  const usual = albums.find(({ id }) => id === profile?.preferences.album_id)?.name ?? t('library.noAlbum');
  const own = albums.map(({ id, name }) => ({ value: id, label: name }));
  const shown = options.albums.filter((album) => album === NEW_ALBUM || own.some(({ value }) => value === album));
  return (
    <>
      <MultiSelect
        label={t('albums.title')}
        placeholder={shown.length > 0 ? undefined : usual}
        searchable
        maxValues={MAX_ALBUMS_AT_ONCE}
        value={shown}
        onChange={(chosen) => onChange({ albums: chosen })}
        data={[{ value: NEW_ALBUM, label: t('batch.newAlbum') }, ...own]}
      />
      {options.albums.includes(NEW_ALBUM) && (
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

function Expiry({ options, onChange }: FieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: limits } = useQuery(limitsQuery);
  const max = useMaxExpiry();
  const usual = limits?.default_expires_in || limits?.max_expires_in || 0;
  const after = (seconds: number) => format.period(seconds);
  const textFor = useExpiryText();
  const expires = options.expiresIn === '' ? usual > 0 : options.expiresIn !== '0';
  const never = usual && !limits?.max_expires_in ? [{ value: '0', label: t('library.never') }] : [];
  return (
    <ExpiryField
      label={t('details.expires')}
      description={expires ? textFor() : undefined}
      value={options.expiresIn}
      onChange={(expiresIn) => onChange({ expiresIn })}
      max={max}
      choices={[
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
