/** KML in the forms of Google My Maps, Google Earth, uMap and GDAL. */

/** An export of My Maps: layers are Folders, each column is a Data element, and images have a column. */
export const MY_MAPS = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2">
  <Document>
    <name>Paris</name>
    <description/>
    <Style id="icon-1899-0288D1-normal">
      <IconStyle><color>ffd18802</color><Icon><href>images/icon-1.png</href></Icon></IconStyle>
      <LabelStyle><scale>0</scale></LabelStyle>
    </Style>
    <StyleMap id="icon-1899-0288D1">
      <Pair><key>normal</key><styleUrl>#icon-1899-0288D1-normal</styleUrl></Pair>
      <Pair><key>highlight</key><styleUrl>#icon-1899-0288D1-normal</styleUrl></Pair>
    </StyleMap>
    <Folder>
      <name>Museums &amp; more</name>
      <Placemark>
        <name>Louvre</name>
        <description><![CDATA[<img src="https://x.example/1.jpg" height="200" width="auto" /><br><br>Adresse: Rue de Rivoli<br>Open: yes]]></description>
        <styleUrl>#icon-1899-0288D1</styleUrl>
        <ExtendedData>
          <Data name="Adresse">
            <value>Rue de Rivoli</value>
          </Data>
          <Data name="Open">
            <value/>
          </Data>
          <Data name="gx_media_links">
            <value><![CDATA[https://x.example/1.jpg]]></value>
          </Data>
        </ExtendedData>
        <Point>
          <coordinates>
            2.3376,48.8606,0
          </coordinates>
        </Point>
      </Placemark>
      <Placemark>
        <name>Walk</name>
        <styleUrl>#line-000000-1200</styleUrl>
        <LineString>
          <tessellate>1</tessellate>
          <coordinates>
            2.33,48.86,0
            2.34,48.87,0
          </coordinates>
        </LineString>
      </Placemark>
    </Folder>
    <Folder>
      <name>Imported</name>
      <Placemark>
        <name>Panthéon</name>
        <address>Place du Panthéon, Paris</address>
        <styleUrl>#icon-1899-0288D1</styleUrl>
        <ExtendedData/>
      </Placemark>
    </Folder>
  </Document>
</kml>
`;

/** Saved by Google Earth Pro: atom and gx are always declared; Placemarks are in nested Folders. */
export const GOOGLE_EARTH = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" xmlns:kml="http://www.opengis.net/kml/2.2" xmlns:atom="http://www.w3.org/2005/Atom">
<Document>
	<name>My Places.kml</name>
	<Folder>
		<name>Trip</name>
		<open>1</open>
		<Folder>
			<name>Day 1</name>
			<Placemark id="pm12">
				<name>Cabin</name>
				<open>1</open>
				<atom:author><atom:name>Somebody</atom:name></atom:author>
				<address>Hill 1</address>
				<phoneNumber>tel:+1 555</phoneNumber>
				<Snippet maxLines="0"></Snippet>
				<LookAt>
					<longitude>7</longitude><latitude>46</latitude><altitude>0</altitude>
					<gx:altitudeMode>relativeToSeaFloor</gx:altitudeMode>
				</LookAt>
				<styleUrl>#m_ylw-pushpin</styleUrl>
				<Point>
					<altitudeMode>absolute</altitudeMode>
					<gx:drawOrder>1</gx:drawOrder>
					<coordinates>7.5,46.25,1800.5</coordinates>
				</Point>
			</Placemark>
			<Placemark><name>Path</name><gx:Track><when>2020-01-01</when><gx:coord>7 46 0</gx:coord></gx:Track></Placemark>
			<Placemark><name>Lot</name><MultiGeometry><Polygon/><Point><coordinates>1,2</coordinates></Point></MultiGeometry></Placemark>
			<Placemark><name>One</name><MultiGeometry><Point><coordinates>1,2</coordinates></Point></MultiGeometry></Placemark>
		</Folder>
		<GroundOverlay><name>Map</name><Icon><href>a.png</href></Icon></GroundOverlay>
		<PhotoOverlay><name>Photo</name><Point><coordinates>1,2</coordinates></Point></PhotoOverlay>
		<PhotoOverlay><name>Photo</name></PhotoOverlay>
		<gx:Tour><name>Tour</name><gx:Playlist><gx:AnimatedUpdate><Update><targetHref/><Change><Placemark targetId="pm12"/></Change></Update></gx:AnimatedUpdate></gx:Playlist></gx:Tour>
		<NetworkLink>
			<name>Live</name>
			<Link><href>https://example.org/live.kml?a=1&amp;b=2</href></Link>
		</NetworkLink>
	</Folder>
	<Placemark><name>Loose</name><Model/></Placemark>
</Document>
</kml>
`;

/** An export of uMap (tokml): the name and the description occur twice, without Folders. */
export const UMAP = `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Fountain</name><description>drinkable</description><ExtendedData><Data name="name"><value>Fountain</value></Data><Data name="description"><value>drinkable</value></Data><Data name="_umap_options"><value>{"color":"Blue"}</value></Data></ExtendedData><Point><coordinates>4.84,45.76</coordinates></Point></Placemark></Document></kml>`;

/** Attributes as GDAL's LIBKML driver writes them, and an extension with its own namespace. */
export const SCHEMA_DATA = `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:camp="http://campsites.example"><Document>
<Schema name="S" id="S"><SimpleField name="Sites" type="int"><displayName>x</displayName></SimpleField></Schema>
<Placemark><name>Camp</name><ExtendedData>
  <SchemaData schemaUrl="#S"><SimpleData name="Sites">14</SimpleData><SimpleData name="Empty"> </SimpleData></SchemaData>
  <camp:number>7</camp:number>
</ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark></Document></kml>`;
