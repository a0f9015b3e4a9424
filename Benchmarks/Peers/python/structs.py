"""What msgspec maps in each task.

At the top of a module, where msgspec finds the types that are named in others.
"""

from msgspec import Struct


# tweets7


class Hashtag(Struct):
    text: str


class SomeEntities(Struct):
    hashtags: list[Hashtag]


class SomeUser(Struct):
    screen_name: str
    followers_count: int


class SomeTweet(Struct):
    id: int
    created_at: str
    text: str
    user: SomeUser
    retweet_count: int
    entities: SomeEntities


# tweets-all


class MediaSize(Struct, kw_only=True):
    w: int
    h: int
    resize: str


class Media(Struct, kw_only=True):
    id: int
    id_str: str
    indices: list[int]
    media_url: str
    media_url_https: str
    url: str
    display_url: str
    expanded_url: str
    type: str
    sizes: dict[str, MediaSize]
    source_status_id: int | None = None
    source_status_id_str: str | None = None


class Mention(Struct, kw_only=True):
    screen_name: str
    name: str
    id: int
    id_str: str
    indices: list[int]


class Link(Struct, kw_only=True):
    url: str
    expanded_url: str
    display_url: str
    indices: list[int]


class Tag(Struct, kw_only=True):
    text: str
    indices: list[int]


class TweetEntities(Struct, kw_only=True):
    hashtags: list[Tag]
    symbols: list[Tag]
    urls: list[Link]
    user_mentions: list[Mention]
    media: list[Media] | None = None


class LinkList(Struct, kw_only=True):
    urls: list[Link]


class UserEntities(Struct, kw_only=True):
    url: LinkList | None = None
    description: LinkList


class TweetUser(Struct, kw_only=True):
    id: int
    id_str: str
    name: str
    screen_name: str
    location: str
    description: str
    url: str | None = None
    entities: UserEntities
    protected: bool
    followers_count: int
    friends_count: int
    listed_count: int
    created_at: str
    favourites_count: int
    utc_offset: int | None = None
    time_zone: str | None = None
    geo_enabled: bool
    verified: bool
    statuses_count: int
    lang: str
    contributors_enabled: bool
    is_translator: bool
    is_translation_enabled: bool
    profile_background_color: str
    profile_background_image_url: str
    profile_background_image_url_https: str
    profile_background_tile: bool
    profile_image_url: str
    profile_image_url_https: str
    profile_banner_url: str | None = None
    profile_link_color: str
    profile_sidebar_border_color: str
    profile_sidebar_fill_color: str
    profile_text_color: str
    profile_use_background_image: bool
    default_profile: bool
    default_profile_image: bool
    following: bool
    follow_request_sent: bool
    notifications: bool


class TweetMetadata(Struct, kw_only=True):
    result_type: str
    iso_language_code: str


class FullTweet(Struct, kw_only=True):
    metadata: TweetMetadata
    created_at: str
    id: int
    id_str: str
    text: str
    source: str
    truncated: bool
    in_reply_to_status_id: int | None = None
    in_reply_to_status_id_str: str | None = None
    in_reply_to_user_id: int | None = None
    in_reply_to_user_id_str: str | None = None
    in_reply_to_screen_name: str | None = None
    user: TweetUser
    geo: str | None = None
    coordinates: str | None = None
    place: str | None = None
    contributors: str | None = None
    retweeted_status: "FullTweet | None" = None
    retweet_count: int
    favorite_count: int
    entities: TweetEntities
    favorited: bool
    retweeted: bool
    possibly_sensitive: bool | None = None
    lang: str


# logs


class Http(Struct):
    method: str
    path: str
    status: int
    ms: float


class Log(Struct):
    time: str
    level: str
    service: str
    trace_id: str
    user_id: int
    http: Http
    tags: list[str]
    message: str


class Written(Struct):
    timestamp: str
    level: str
    service: str
    trace: str
    user: int
    method: str
    path: str
    status: int
    ms: float
    tags: list[str]
    message: str


# catalogue


class Area(Struct):
    areaId: int
    blockIds: list[int]


class SeatCategory(Struct):
    areas: list[Area]
    seatCategoryId: int


class Price(Struct):
    amount: int
    audienceSubCategoryId: int
    seatCategoryId: int


class Performance(Struct):
    eventId: int
    id: int
    logo: str | None
    prices: list[Price]
    seatCategories: list[SeatCategory]
    start: int
    venueCode: str


class Event(Struct):
    id: int
    logo: str | None
    name: str
    subTopicIds: list[int]
    topicIds: list[int]


class Catalog(Struct):
    areaNames: dict[str, str]
    events: dict[str, Event]
    performances: list[Performance]
    seatCategoryNames: dict[str, str]
    subTopicNames: dict[str, str]
    topicNames: dict[str, str]
    topicSubTopics: dict[str, list[int]]
    venueNames: dict[str, str]


# numbers and tiny


class Geometry(Struct):
    coordinates: list[list[list[float]]]


class Feature(Struct):
    geometry: Geometry


class Outlines(Struct):
    features: list[Feature]


class Tiny(Struct):
    id: int
    name: str
    ok: bool


TASKS = {
    "tweets7": SomeTweet, "tweets-all": FullTweet, "logs": Log, "catalogue": Catalog,
    "numbers": Outlines, "tiny": Tiny,
}
