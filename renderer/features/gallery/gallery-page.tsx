import { useTranslation } from 'react-i18next';
import { EmptyGallery } from './empty-gallery.tsx';
import { Gallery } from './gallery.tsx';

/** All of a person's pictures. */
export function GalleryPage() {
  const { t } = useTranslation();
  return <Gallery title={t('nav.pictures')} empty={<EmptyGallery />} />;
}
