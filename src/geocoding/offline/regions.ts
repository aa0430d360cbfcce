/**
 * Names of regions, which distinguish towns of the same name. GeoNames' towns have only the codes of their divisions, so
 * a region is identified by its code (`@NY`), or by a town in it.
 *
 * One line per country and level: `CC level: key=name|name; ...`, level 1 for GeoNames' admin1 and 2 for its admin2. A
 * name of two or three capital letters is an abbreviation, which counts only after a town.
 */
const REGIONS = `
US 1: @AL=Alabama|AL; @AK=Alaska|AK; @AZ=Arizona|AZ; @AR=Arkansas|AR; @CA=California|CA|Calif; @CO=Colorado|CO; @CT=Connecticut|CT; @DE=Delaware|DE; @DC=District of Columbia|DC; @FL=Florida|FL; @GA=Georgia|GA; @HI=Hawaii|HI; @ID=Idaho|ID; @IL=Illinois|IL; @IN=Indiana|IN; @IA=Iowa|IA; @KS=Kansas|KS; @KY=Kentucky|KY; @LA=Louisiana|LA; @ME=Maine|ME; @MD=Maryland|MD; @MA=Massachusetts|MA|Mass; @MI=Michigan|MI; @MN=Minnesota|MN; @MS=Mississippi|MS; @MO=Missouri|MO; @MT=Montana|MT; @NE=Nebraska|NE; @NV=Nevada|NV; @NH=New Hampshire|NH; @NJ=New Jersey|NJ; @NM=New Mexico|NM; @NY=New York|New York State|NY; @NC=North Carolina|NC; @ND=North Dakota|ND; @OH=Ohio|OH; @OK=Oklahoma|OK; @OR=Oregon|OR; @PA=Pennsylvania|PA; @RI=Rhode Island|RI; @SC=South Carolina|SC; @SD=South Dakota|SD; @TN=Tennessee|TN; @TX=Texas|TX; @UT=Utah|UT; @VT=Vermont|VT; @VA=Virginia|VA; @WA=Washington|Washington State|WA; @WV=West Virginia|WV; @WI=Wisconsin|WI; @WY=Wyoming|WY
CA 1: @01=Alberta|AB; @02=British Columbia|Colombie-Britannique|BC; @03=Manitoba|MB; @04=New Brunswick|Nouveau-Brunswick|NB; @05=Newfoundland and Labrador|Newfoundland|NL; @07=Nova Scotia|Nouvelle-Écosse|NS; @08=Ontario|ON; @09=Prince Edward Island|PE|PEI; @10=Québec|QC|PQ; @11=Saskatchewan|SK; @12=Yukon|Yukon Territory|YT; @13=Northwest Territories|NT; @14=Nunavut|NU
AU 1: @01=Australian Capital Territory|ACT; @02=New South Wales|NSW; @03=Northern Territory|NT; @04=Queensland|QLD; @05=South Australia|SA; @06=Tasmania|TAS; @07=Victoria|VIC; @08=Western Australia|WA
GB 1: @ENG=England|Inglaterra|Angleterre|Inghilterra; @SCT=Scotland|Écosse|Schottland|Escocia|Scozia; @WLS=Wales|Cymru|Pays de Galles; @NIR=Northern Ireland|Nordirland|Irlande du Nord
GB 2: Guildford=Surrey; Maidstone=Kent; Chelmsford=Essex; Lewes=East Sussex; Chichester=West Sussex; Winchester=Hampshire|Hants; Truro=Cornwall; Exeter=Devon; Dorchester=Dorset; Taunton=Somerset; Gloucester=Gloucestershire|Glos; Oxford=Oxfordshire|Oxon; Aylesbury=Buckinghamshire|Bucks; Hertford=Hertfordshire|Herts; Cambridge=Cambridgeshire|Cambs; Norwich=Norfolk; Ipswich=Suffolk; Lincoln=Lincolnshire|Lincs; Nottingham=; Matlock=Derbyshire; Stafford=Staffordshire|Staffs; Ludlow=Shropshire|Salop; Warwick=Warwickshire; Worcester=Worcestershire; Hereford=Herefordshire; Preston=Lancashire|Lancs; Carlisle=Cumbria; Harrogate=North Yorkshire; Durham=County Durham; Alnwick=Northumberland; Leeds=West Yorkshire; Trowbridge=Wiltshire|Wilts; Newport=; Loughborough=Leicestershire; Northampton=Northamptonshire|Northants
IE 2: Cork=County Cork|Co Cork; Gaillimh=County Galway|Co Galway; Kilkenny=County Kilkenny|Co Kilkenny; Tralee=County Kerry|Co Kerry|Kerry; Ennis=County Clare|Co Clare|Clare; Sligo=County Sligo|Co Sligo; Castlebar=County Mayo|Co Mayo|Mayo; Letterkenny=County Donegal|Co Donegal; Wexford=County Wexford|Co Wexford; Wicklow=County Wicklow|Co Wicklow; Navan=County Meath|Co Meath|Meath; Naas=County Kildare|Co Kildare; Dundalk=County Louth|Co Louth
DE 1: Stuttgart=Baden-Württemberg; Munich=Bayern|Bavaria|Bavière|Baviera|Бавария; Potsdam=Brandenburg; Wiesbaden=Hessen|Hesse|Assia; Schwerin=Mecklenburg-Vorpommern|Mecklenburg-Western Pomerania; Hannover=Niedersachsen|Lower Saxony|Basse-Saxe; Düsseldorf=Nordrhein-Westfalen|North Rhine-Westphalia|NRW; Mainz=Rheinland-Pfalz|Rhineland-Palatinate; Saarbrücken=Saarland; Dresden=Sachsen|Saxony|Saxe; Magdeburg=Sachsen-Anhalt|Saxony-Anhalt; Kiel=Schleswig-Holstein; Erfurt=Thüringen|Thuringia|Thuringe
AT 1: Eisenstadt=Burgenland; Klagenfurt am Wörthersee=Kärnten|Carinthia; Sankt Pölten=Niederösterreich|Lower Austria; Linz=Oberösterreich|Upper Austria; Salzburg=Salzburg; Graz=Steiermark|Styria; Innsbruck=Tirol|Tyrol; Bregenz=Vorarlberg
CH 1: @AG=Aargau|AG; @AI=AI; @AR=AR; @BE=Kanton Bern|BE; @BL=Basel-Landschaft|BL; @BS=Basel-Stadt|BS; @FR=FR; @GE=GE; @GL=Glarus|GL; @GR=Graubünden|Grisons|GR; @JU=Jura|JU; @LU=LU; @NE=NE; @NW=NW; @OW=OW; @SG=SG; @SH=SH; @SO=SO; @SZ=SZ; @TG=Thurgau|TG; @TI=Ticino|Tessin|TI; @UR=Uri|UR; @VD=Vaud|Waadt|VD; @VS=Valais|Wallis|VS; @ZG=ZG; @ZH=Kanton Zürich|ZH
FR 1: Lyon=Auvergne-Rhône-Alpes|Rhône-Alpes; Dijon=Bourgogne-Franche-Comté|Burgundy|Bourgogne; Rennes=Bretagne|Brittany; Orléans=Centre-Val de Loire; Ajaccio=Corse|Corsica; Strasbourg=Grand Est|Alsace; Lille=Hauts-de-France; Paris=Île-de-France; Rouen=Normandie|Normandy; Bordeaux=Nouvelle-Aquitaine|Aquitaine; Toulouse=Occitanie; Nantes=Pays de la Loire; Marseille=Provence-Alpes-Côte d’Azur|Provence
ES 1: Sevilla=Andalucía|Andalusia|Andalousie; Zaragoza=Aragón; Oviedo=Asturias; Palma=Illes Balears|Islas Baleares|Balearic Islands|Mallorca|Majorca; Las Palmas de Gran Canaria=Canarias|Canary Islands|Islas Canarias; Santander=Cantabria; Valladolid=Castilla y León|Castile and León; Toledo=Castilla-La Mancha; Barcelona=Catalunya|Cataluña|Catalonia; Mérida=Extremadura; Santiago de Compostela=Galicia; Pamplona=Navarra|Navarre|Nafarroa; Bilbao=País Vasco|Euskadi|Basque Country; Valencia=Comunidad Valenciana|Comunitat Valenciana
ES 2: Bilbao=Bizkaia|Vizcaya|Biscay; Donostia / San Sebastián=Gipuzkoa|Guipúzcoa; Gasteiz / Vitoria=Álava|Araba
IT 1: L'Aquila=Abruzzo|Abruzzi; Potenza=Basilicata; Catanzaro=Calabria; Naples=Campania; Bologna=Emilia-Romagna; Trieste=Friuli-Venezia Giulia; Rome=Lazio|Latium; Genoa=Liguria; Milan=Lombardia|Lombardy|Lombardie; Ancona=Marche; Campobasso=Molise; Turin=Piemonte|Piedmont|Piémont; Bari=Puglia|Apulia; Cagliari=Sardegna|Sardinia|Sardaigne; Palermo=Sicilia|Sicily|Sicile; Florence=Toscana|Tuscany|Toscane|Toskana; Trento=Trentino-Alto Adige|Südtirol|Alto Adige|South Tyrol; Perugia=Umbria; Aosta=Valle d’Aosta|Vallée d’Aoste; Venice=Veneto
NL 1: Arnhem=Gelderland; Assen=Drenthe; Leeuwarden=Friesland|Fryslân; Lelystad=Flevoland; Maastricht=Limburg; 's-Hertogenbosch=Noord-Brabant|North Brabant; Haarlem=Noord-Holland|North Holland; Zwolle=Overijssel; The Hague=Zuid-Holland|South Holland; Middelburg=Zeeland
BE 1: Brugge=Vlaanderen|Flanders|Flandre; Namur=Wallonie|Wallonia
PT 1: Faro=Algarve; Funchal=Madeira; Ponta Delgada=Açores|Azores
GR 1: Irákleion=Κρήτη|Crete|Kriti|Kreta|Crète; Corfu=; Lárisa=Θεσσαλία|Thessaly|Thessalia; Ródos=Νότιο Αιγαίο|South Aegean
SE 1: Malmö=Skåne|Scania|Skåne län; Stockholm=Stockholms län; Göteborg=Västra Götaland
PL 1: Kraków=Małopolska|Małopolskie|Lesser Poland; Warsaw=Mazowieckie|Masovia; Gdańsk=Pomorskie|Pomerania; Wrocław=Dolnośląskie|Lower Silesia; Katowice=Śląskie|Silesia; Poznań=Wielkopolskie|Wielkopolska; Lublin=Lubelskie; Szczecin=Zachodniopomorskie; Rzeszów=Podkarpackie; Białystok=Podlaskie; Olsztyn=Warmińsko-Mazurskie; Kielce=Świętokrzyskie; Opole=Opolskie; Bydgoszcz=Kujawsko-Pomorskie; Zielona Góra=Lubuskie
RU 1: Kazan=Татарстан|Республика Татарстан|Tatarstan; Ufa=Башкортостан|Республика Башкортостан|Bashkortostan; Balashikha=Московская область|Московская обл|Moscow Oblast|МО; Gatchina=Ленинградская область|Ленинградская обл|Leningrad Oblast; Krasnodar=Краснодарский край|Krasnodar Krai; Yekaterinburg=Свердловская область|Свердловская обл|Sverdlovsk Oblast; Novosibirsk=Новосибирская область|Новосибирская обл; Rostov-na-Donu=Ростовская область|Ростовская обл; Samara=Самарская область|Самарская обл; Nizhniy Novgorod=Нижегородская область|Нижегородская обл; Kaluga=Калужская область|Калужская обл; Kirov=Кировская область|Кировская обл; Tula=Тульская область|Тульская обл; Vladimir=Владимирская область|Владимирская обл; Kaliningrad=Калининградская область|Калининградская обл; Petrozavodsk=Карелия|Республика Карелия|Karelia; Irkutsk=Иркутская область|Иркутская обл; Vladivostok=Приморский край|Primorsky Krai
UA 1: Lviv=Львівська область|Львівська обл; Odesa=Одеська область|Одеська обл; Kharkiv=Харківська область|Харківська обл; Bila Tserkva=Київська область|Київська обл; Uzhgorod=Закарпатська область|Закарпатська обл|Zakarpattia
TR 1: Antakya=Hatay; İzmit=Kocaeli; Adapazarı=Sakarya
BR 1: @01=Acre|AC; @02=Alagoas|AL; @03=Amapá|AP; @04=Amazonas|AM; @05=Bahia|BA; @06=Ceará|CE; @07=Distrito Federal|DF; @08=Espírito Santo|ES; @11=Mato Grosso do Sul|MS; @13=Maranhão|MA; @14=Mato Grosso|MT; @15=Minas Gerais|MG; @16=Pará|PA; @17=Paraíba|PB; @18=Paraná|PR; @20=Piauí|PI; @21=Rio de Janeiro|RJ; @22=Rio Grande do Norte|RN; @23=Rio Grande do Sul|RS; @24=Rondônia|RO; @25=Roraima|RR; @26=Santa Catarina|SC; @27=São Paulo|SP; @28=Sergipe|SE; @29=Goiás|GO; @30=Pernambuco|PE; @31=Tocantins|TO
MX 1: Aguascalientes=Aguascalientes|Ags; Tijuana=Baja California|BC; La Paz=Baja California Sur|BCS; Campeche=Camp; Tuxtla=Chiapas|Chis; Chihuahua=Chihuahua|Chih; Saltillo=Coahuila|Coah; Colima=Colima|Col; Mexico City=CDMX|Distrito Federal|DF; Victoria de Durango=Durango|Dgo; León de los Aldama=Guanajuato|Gto; Acapulco de Juárez=Guerrero|Gro; Pachuca de Soto=Hidalgo|Hgo; Guadalajara=Jalisco|Jal; Toluca=Estado de México|Edo de México|Edomex|Edo Mex; Morelia=Michoacán|Mich; Cuernavaca=Morelos|Mor; Tepic=Nayarit|Nay; Monterrey=Nuevo León|NL; Oaxaca=Oaxaca|Oax; Puebla=Puebla|Pue; Santiago de Querétaro=Querétaro|Qro; Cancún=Quintana Roo; San Luis Potosí=San Luis Potosí|SLP; Culiacán=Sinaloa|Sin; Hermosillo=Sonora|Son; Villahermosa=Tabasco|Tab; Reynosa=Tamaulipas|Tamps; Tlaxcala=Tlaxcala|Tlax; Xalapa de Enríquez=Veracruz|Ver; Mérida=Yucatán|Yuc; Zacatecas=Zacatecas|Zac
AR 1: La Plata=Provincia de Buenos Aires|Buenos Aires Province; Ushuaia=Tierra del Fuego; Neuquén=Neuquén; Santa Fe=Santa Fe; Córdoba=Córdoba; Mendoza=Mendoza; Salta=Salta; Viedma=Río Negro; Rawson=Chubut; Río Gallegos=; Posadas=Misiones; Paraná=Entre Ríos
CO 1: Medellín=Antioquia; Cali=Valle del Cauca; Barranquilla=Atlántico; Cartagena=Bolívar; Bucaramanga=Santander; Tunja=Boyacá; Villavicencio=Meta; Pereira=Risaralda; Manizales=Caldas; Santa Marta=Magdalena
CL 1: Santiago=Región Metropolitana; Concepción=Región del Biobío|Biobío; Temuco=Araucanía; Punta Arenas=Magallanes; Puerto Montt=Los Lagos
IN 1: Mumbai=Maharashtra|महाराष्ट्र; Lucknow=Uttar Pradesh|उत्तर प्रदेश; Jaipur=Rajasthan|राजस्थान; Kolkata=West Bengal; Bengaluru=Karnataka; Chennai=Tamil Nadu|तमिलनाडु; Cochin=Kerala; Ahmedabad=Gujarat|गुजरात; Hyderabad=Telangana; Visakhapatnam=Andhra Pradesh; Bhopal=Madhya Pradesh|मध्य प्रदेश; Patna=Bihar|बिहार; Bhubaneshwar=Odisha|Orissa; Guwahati=Assam; Ludhiana=Punjab; Gurgaon=Haryana|हरियाणा; Shimla=Himachal Pradesh; Panaji=Goa; Dehra Dun=Uttarakhand; Ranchi=Jharkhand; Raipur=Chhattisgarh; Srinagar=Jammu and Kashmir
PK 1: Lahore=Punjab; Karachi=Sindh; Peshawar=Khyber Pakhtunkhwa|KPK; Quetta=Balochistan
ZA 1: Cape Town=Western Cape; Johannesburg=Gauteng; Durban=KwaZulu-Natal|KZN; Port Elizabeth=Eastern Cape; Bloemfontein=Free State; Polokwane=Limpopo; Nelspruit=Mpumalanga; Kimberley=Northern Cape; Rustenburg=North West
MY 1: Shah Alam=Selangor; George Town=Pulau Pinang|Penang; Johor Bahru=Johor; Ipoh=Perak; Kota Kinabalu=Sabah; Kuching=Sarawak; Kuantan=Pahang; Alor Setar=Kedah; Kota Bharu=Kelantan; Kuala Terengganu=Terengganu; Seremban=Negeri Sembilan
ID 1: Bandung=Jawa Barat|West Java; Semarang=Jawa Tengah|Central Java; Surabaya=Jawa Timur|East Java; Denpasar=Bali; Yogyakarta=Daerah Istimewa Yogyakarta|DIY|DI Yogyakarta; Jakarta=DKI Jakarta|DKI; Medan=Sumatera Utara|North Sumatra; Makassar=Sulawesi Selatan|South Sulawesi
PH 1: Manila=Metro Manila|NCR|National Capital Region
CN 1: Hefei=安徽|安徽省|Anhui; Hangzhou=浙江|浙江省|Zhejiang; Nanchang=江西|江西省|Jiangxi; Nanjing=江苏|江苏省|江蘇省|Jiangsu; Changchun=吉林省|Jilin Province; Xining=青海|青海省|Qinghai; Fuzhou=福建|福建省|Fujian; Harbin=黑龙江|黑龙江省|Heilongjiang; Zhengzhou=河南|河南省|Henan; Shijiazhuang=河北|河北省|Hebei; Changsha=湖南|湖南省|Hunan; Wuhan=湖北|湖北省|Hubei; Ürümqi=新疆|新疆维吾尔自治区|Xinjiang; Lhasa=西藏|西藏自治区|Tibet|Xizang; Lanzhou=甘肃|甘肃省|Gansu; Nanning=广西|广西壮族自治区|Guangxi; Guiyang=贵州|贵州省|Guizhou; Shenyang=辽宁|辽宁省|Liaoning; Hohhot=内蒙古|内蒙古自治区|Inner Mongolia; Yinchuan=宁夏|宁夏回族自治区|Ningxia; Jinan=山东|山东省|Shandong; Xi’an=陕西|陕西省|Shaanxi; Taiyuan=山西|山西省|Shanxi; Guangzhou=广东|广东省|廣東省|Guangdong; Haikou=海南|海南省|Hainan; Chengdu=四川|四川省|Sichuan; Kunming=云南|云南省|Yunnan
KR 1: Suwon=경기도|경기|Gyeonggi-do|Gyeonggi; Chuncheon=강원도|강원특별자치도|강원|Gangwon-do; Cheongju-si=충청북도|충북|Chungcheongbuk-do; Cheonan=충청남도|충남|Chungcheongnam-do; Jeonju=전라북도|전북특별자치도|전북|Jeollabuk-do; Yeosu=전라남도|전남|Jeollanam-do; Pohang=경상북도|경북|Gyeongsangbuk-do; Changwon=경상남도|경남|Gyeongsangnam-do; Jeju City=제주특별자치도|제주도|Jeju-do
JP 1: Sapporo=北海道|Hokkaido; Aomori=青森県|Aomori; Morioka=岩手県|Iwate; Sendai=宮城県|Miyagi; Akita=秋田県|Akita; Yamagata=山形県|Yamagata; Fukushima=福島県|Fukushima; Mito=茨城県|Ibaraki; Utsunomiya=栃木県|Tochigi; Maebashi=群馬県|Gunma; Saitama=埼玉県|Saitama; Chiba=千葉県|Chiba; Tokyo=東京都|Tokyo|Tokyo-to; Yokohama=神奈川県|Kanagawa; Niigata=新潟県|Niigata; Toyama=富山県|Toyama; Kanazawa=石川県|Ishikawa; Fukui-shi=福井県|Fukui; Kofu=山梨県|Yamanashi; Nagano=長野県|Nagano; Gifu-shi=岐阜県|Gifu; Shizuoka=静岡県|Shizuoka; Nagoya=愛知県|Aichi; Tsu=三重県|Mie; Otsu=滋賀県|Shiga; Kyoto=京都府|Kyoto; Osaka=大阪府|Osaka; Kobe=兵庫県|Hyogo; Nara-shi=奈良県|Nara; Wakayama=和歌山県|Wakayama; Tottori=鳥取県|Tottori; Matsue=島根県|Shimane; Okayama=岡山県|Okayama; Hiroshima=広島県|Hiroshima; Yamaguchi=山口県|Yamaguchi; Tokushima=徳島県|Tokushima; Takamatsu=香川県|Kagawa; Matsuyama=愛媛県|Ehime; Kochi=高知県|Kochi; Fukuoka=福岡県|Fukuoka; Saga=佐賀県|Saga; Nagasaki=長崎県|Nagasaki; Kumamoto=熊本県|Kumamoto; Oita=大分県|Oita; Miyazaki=宮崎県|Miyazaki; Kagoshima=鹿児島県|Kagoshima; Naha=沖縄県|Okinawa
`;

export interface RegionDefinition {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly level: 1 | 2;
  /** GeoNames' admin1 code, for level 1; null if the region is identified by `seat`. */
  readonly code: string | null;
  /** GeoNames' name of a town in the region. */
  readonly seat: string | null;
  readonly names: readonly string[];
}

export function regionDefinitions(): RegionDefinition[] {
  return REGIONS.trim()
    .split('\n')
    .flatMap((line) => {
      const colon = line.indexOf(':');
      const [country = '', level] = line.slice(0, colon).split(' ');
      return line
        .slice(colon + 1)
        .split(';')
        .map((item): RegionDefinition => {
          const [key = '', names = ''] = item.split('=').map((half) => half.trim());
          const coded = key.startsWith('@');
          return {
            country,
            level: level === '2' ? 2 : 1,
            code: coded ? key.slice(1) : null,
            seat: coded ? null : key,
            names: names.split('|').filter((name) => name !== ''),
          };
        });
    })
    .filter((region) => region.names.length > 0);
}

/** True for an abbreviation (`NY`, `NSW`), which counts only after a town, since it may also be a word. */
export function isRegionCode(name: string): boolean {
  return /^[A-Z]{2,3}$/.test(name);
}
