#pragma once
#include <string_view>

namespace etlantic {

struct diagnostic_code {
  std::string_view code;
  std::string_view meaning;
};

/// All codes of definition and profile diagnostics. They never change their meaning. PMPLAN, PMPIPE and PMCFG are
/// families of ETLantic: 100, 201 and 2xx of PMCFG mean there what they mean here, 3xx are ours.
namespace code {

inline constexpr std::string_view asset_unbound = "PMPLAN201";
inline constexpr std::string_view unknown_zone = "PMPLAN205";
inline constexpr std::string_view unguarded_future = "PMPLAN206";
inline constexpr std::string_view target_appends = "PMPLAN207";
inline constexpr std::string_view nothing_keeps_missed = "PMPLAN208";
inline constexpr std::string_view unfollowed_splits = "PMPLAN210";
inline constexpr std::string_view ungroupable = "PMPLAN211";
inline constexpr std::string_view split_keys = "PMPLAN212";
inline constexpr std::string_view records_missing = "PMPLAN213";
inline constexpr std::string_view output_unread = "PMPIPE230";

inline constexpr std::string_view profile_unreadable = "PMCFG100";
inline constexpr std::string_view location_missing = "PMCFG201";
inline constexpr std::string_view yaml_syntax = "PMCFG301";
inline constexpr std::string_view duplicate_key = "PMCFG302";
inline constexpr std::string_view profile_too_large = "PMCFG303";
inline constexpr std::string_view unknown_key = "PMCFG310";
inline constexpr std::string_view wrong_kind = "PMCFG311";
inline constexpr std::string_view invalid_value = "PMCFG312";
inline constexpr std::string_view missing_key = "PMCFG313";
inline constexpr std::string_view unknown_connector = "PMCFG320";
inline constexpr std::string_view wrong_direction = "PMCFG321";
inline constexpr std::string_view missing_option = "PMCFG322";
inline constexpr std::string_view unknown_option = "PMCFG323";
inline constexpr std::string_view unknown_resource = "PMCFG330";
inline constexpr std::string_view unused_resource = "PMCFG331";
inline constexpr std::string_view unknown_asset = "PMCFG340";
inline constexpr std::string_view shared_target = "PMCFG341";
inline constexpr std::string_view no_checkpoint = "PMCFG342";
inline constexpr std::string_view retry_without_checkpoint = "PMCFG345";
inline constexpr std::string_view nothing_in_kafka = "PMCFG346";
inline constexpr std::string_view reference_unresolved = "PMCFG350";
inline constexpr std::string_view plain_secret = "PMCFG351";
inline constexpr std::string_view impossible_gate = "PMCFG360";

}  // namespace code

inline constexpr diagnostic_code diagnostic_codes[] = {
    {code::asset_unbound, "an asset of the pipeline is not bound to anything"},
    {code::unknown_zone, "a time zone is named that this system's zone data does not have"},
    {code::unguarded_future, "times in the future are to be rejected where no field is an event time"},
    {code::target_appends, "a load wants a keyed table and is bound to what keeps every row (warning)"},
    {code::nothing_keeps_missed, "windows are to be kept for a correction and there is no checkpoint"},
    {code::unfollowed_splits, "each split is to have a watermark where none follows the input"},
    {code::ungroupable, "a pipeline that a group of processes cannot run"},
    {code::split_keys, "state is kept by other keys than those that the shared input is partitioned by"},
    {code::records_missing, "an extract wants the key, headers or place of records from a connector that has none"},
    {code::output_unread, "an output that nothing reads (warning)"},
    {code::profile_unreadable, "the profile file is missing, empty or cannot be read"},
    {code::location_missing, "the input of the default profile is not there"},
    {code::yaml_syntax, "the profile is not YAML"},
    {code::duplicate_key, "a key appears twice"},
    {code::profile_too_large, "the profile is too large or nested too deeply"},
    {code::unknown_key, "a key that profiles do not have"},
    {code::wrong_kind, "a value of the wrong kind, such as a list instead of a text"},
    {code::invalid_value, "a value that cannot be understood"},
    {code::missing_key, "a key that must be there is not"},
    {code::unknown_connector, "this program has no connector with this name"},
    {code::wrong_direction, "a connector that can only read is used for writing, or the other way round"},
    {code::missing_option, "an option that the connector requires is not there"},
    {code::unknown_option, "an option that the connector does not have"},
    {code::unknown_resource, "the profile has no resource with this name"},
    {code::unused_resource, "a resource that no asset refers to (warning)"},
    {code::unknown_asset, "an asset that the pipeline does not have (warning)"},
    {code::shared_target, "two loads write to the same target"},
    {code::no_checkpoint, "without a checkpoint a restart reads everything again (warning)"},
    {code::retry_without_checkpoint, "failures are to be tried again without a checkpoint to go on from"},
    {code::nothing_in_kafka, "--embedded-kafka where no asset is bound to Kafka"},
    {code::reference_unresolved, "an env: or file: reference leads nowhere"},
    {code::plain_secret, "a secret is written out in the profile (warning)"},
    {code::impossible_gate, "a quality gate that cannot be judged over the pipeline"},
};

}  // namespace etlantic
